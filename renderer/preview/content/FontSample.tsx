import { Slider, Text, Textarea } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { text } from '../../messages/text.ts'
import { previews } from '../client.ts'
import type { FontContent } from './content.ts'
import classes from './FontSample.module.css'

const SMALLEST = 12
const LARGEST = 96
const USUAL = 32

/** A custom text in a font that was loaded for it, and that nothing else on the page uses. */
export function FontSample({ look: { file } }: { look: FontContent }) {
  const family = `preview-${useId().replaceAll(/\W/g, '')}`
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const [sample, setSample] = useState(() => text('preview.sampleText'))
  const [pixels, setPixels] = useState(USUAL)
  useEffect(() => {
    const abort = new AbortController()
    let font: FontFace | undefined
    const load = async () => {
      const bytes = await previews.bytes(file, abort.signal)
      const loaded = await new FontFace(family, bytes).load()
      if (abort.signal.aborted) return
      font = loaded
      document.fonts.add(loaded)
      setState('loaded')
    }
    load().catch(() => abort.signal.aborted || setState('failed'))
    return () => {
      abort.abort()
      if (font) document.fonts.delete(font)
    }
  }, [file, family])
  if (state === 'failed')
    return (
      <Text className="aside" p={20}>
        {text('preview.fontFailed')}
      </Text>
    )
  return (
    <div className={`${classes.font} preview-side`} data-state={state}>
      <Textarea
        classNames={{ input: classes.text ?? '', wrapper: classes.wrapper ?? '', root: classes.root ?? '' }}
        aria-label={text('preview.sample')}
        value={sample}
        dir="auto"
        spellCheck={false}
        onChange={event => setSample(event.currentTarget.value)}
        style={{ ['--sample-font' as string]: `"${family}"`, ['--sample-size' as string]: `${pixels}px` }}
      />
      <Slider
        flex="none"
        size="sm"
        thumbLabel={text('preview.fontSize')}
        label={null}
        min={SMALLEST}
        max={LARGEST}
        value={pixels}
        onChange={setPixels}
      />
    </div>
  )
}
