/** The part of LibRaw's module that is used; the package only has types for its wrapper, which is made for browsers. */
declare module 'libraw-wasm/dist/libraw.js' {
  export interface Picture {
    width: number
    height: number
    colors: number
    bits: number
    data: Uint8Array<ArrayBuffer>
  }

  export interface LibRaw {
    open(file: Uint8Array, settings: Record<string, unknown>): void
    metadata(full: boolean): { width: number; height: number } | undefined
    imageData(): Picture | undefined
  }

  export interface ModuleOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports
    print(line: string): void
    printErr(line: string): void
  }

  export default function create(options: ModuleOptions): Promise<{ LibRaw: new () => LibRaw }>
}
