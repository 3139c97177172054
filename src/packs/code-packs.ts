// The packs that read code, by the addresses of their modules: the threads of the code index import them.

export const CODE_PACKS: readonly string[] = [new URL('./angular/pack.ts', import.meta.url).href];
