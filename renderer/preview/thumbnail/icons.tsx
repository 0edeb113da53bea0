import {
  IconArchive,
  IconBook,
  IconFile,
  IconFileText,
  IconMusic,
  IconPhoto,
  IconTypography,
  IconVideo,
} from '@tabler/icons-react'

const icons: Record<string, typeof IconFile | undefined> = {
  images: IconPhoto,
  documents: IconFileText,
  audio: IconMusic,
  video: IconVideo,
  ebooks: IconBook,
  fonts: IconTypography,
  archives: IconArchive,
}

/** The icon of a file category. */
export function CategoryIcon({ category, size }: { category: string | null; size: number }) {
  const Icon = icons[category ?? ''] ?? IconFile
  return <Icon size={size} stroke={1.6} aria-hidden="true" />
}
