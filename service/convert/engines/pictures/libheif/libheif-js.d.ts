/** The part of libheif's module that is used; the package has no types. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  export interface Failure {
    code: number | { value: number }
    message?: string
  }

  export interface Channel {
    id: unknown
    width: number
    height: number
    stride: number
    data: Uint8Array
  }

  export type Handle = object

  export interface Libheif {
    heif_context_alloc(): object
    heif_context_read_from_memory(context: object, file: Uint8Array): Failure
    heif_js_context_get_primary_image_handle(context: object): Handle | Failure
    heif_image_handle_get_width(handle: Handle): number
    heif_image_handle_get_height(handle: Handle): number
    heif_image_handle_has_alpha_channel(handle: Handle): boolean | number
    heif_image_handle_is_premultiplied_alpha(handle: Handle): boolean | number
    heif_js_decode_image2(
      handle: Handle,
      space: unknown,
      chroma: unknown,
    ): Promise<{ channels: Channel[] } | Failure>
    heif_error_code: { heif_error_Ok: unknown }
    heif_colorspace: Record<string, unknown>
    heif_chroma: Record<string, unknown>
    heif_channel: Record<string, unknown>
  }

  export interface ModuleOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports
    print(line: string): void
    printErr(line: string): void
  }

  export default function create(options: ModuleOptions): Promise<Libheif>
}
