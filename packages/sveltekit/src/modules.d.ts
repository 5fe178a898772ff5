// Modules that SvelteKit and its plugin for Vite generate.

/** The private variables that `src/env.ts` declares. */
declare module "$app/env/private" {}

declare module "$env/dynamic/private" {
  export const env: Readonly<Record<string, string | undefined>>
}

declare module "*.svelte" {
  const component: never
  export default component
}
