/** The part of Tesseract's module that is used; the package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
    /** @param mode 1: the neural network only. @returns 0 if the data of all languages was read */
    Init(folder: string, languages: string, mode: 1): number
    SetVariable(name: string, value: string): boolean
    /** @param mode 3: find the parts of the page, as the command line does; 7: a single line */
    SetPageSegMode(mode: 3 | 7): void
    /** Reads the picture `/input`. @returns 0 if it could be read */
    SetImageFile(orientation: 1, angle: 0): number
    /** What the next recognition reads, in pixels. */
    SetRectangle(left: number, top: number, width: number, height: number): void
    Recognize(monitor: null): number
    GetHOCRText(page: 0): string
    Clear(): void
  }

  export interface Tesseract {
    FS: { writeFile: (path: string, data: Uint8Array) => void; unlink: (path: string) => void }
    TessBaseAPI: new () => TessBaseAPI
  }

  export default function create(options: object): Promise<Tesseract>
}
