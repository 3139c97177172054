/** Contents by their SHA-256, such as a file before it was changed. */
export interface ImageStore {
  putBlob(bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<string>;
  getBlob(sha256: string): Promise<Uint8Array | null>;
}
