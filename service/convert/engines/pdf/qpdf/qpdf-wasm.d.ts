/** The part of qpdf's module that is used; the package's own types lack the options and writing files. */
declare module '@neslinesli93/qpdf-wasm' {
  export interface Qpdf {
    callMain(args: string[]): number
    FS: {
      init(input: () => null, output: (byte: number) => void, error: (byte: number) => void): void
      writeFile(path: string, data: Uint8Array): void
      readFile(path: string): Uint8Array<ArrayBuffer>
    }
  }

  export default function create(options: { preRun: (module: Qpdf) => void }): Promise<Qpdf>
}
