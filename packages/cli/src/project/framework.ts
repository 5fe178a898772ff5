/** A framework that the command line knows. */
export interface Framework {
  readonly id: string
  readonly name: string
  /** An application that depends on one of these uses the framework. */
  readonly dependencies: readonly string[]
  readonly envFile: string
  /** The default path of the routes. */
  readonly basePath: string
  /** The default port of the development server. */
  readonly port: number
  /** The Latchkey package for it, if there is one. */
  readonly integration: string | undefined
}

/** In order of detection. Frameworks that depend on another one come before it. */
export const frameworks: readonly Framework[] = [
  {
    id: "next",
    name: "Next.js",
    dependencies: ["next"],
    envFile: ".env.local",
    basePath: "/api/auth",
    port: 3000,
    integration: "@latchkey/next",
  },
  {
    id: "sveltekit",
    name: "SvelteKit",
    dependencies: ["@sveltejs/kit"],
    envFile: ".env",
    basePath: "/auth",
    port: 5173,
    integration: undefined,
  },
  {
    id: "qwik",
    name: "Qwik",
    dependencies: ["@builder.io/qwik-city", "@qwik.dev/router"],
    envFile: ".env.local",
    basePath: "/auth",
    port: 5173,
    integration: "@latchkey/qwik",
  },
  {
    id: "solid-start",
    name: "SolidStart",
    dependencies: ["@solidjs/start"],
    envFile: ".env",
    basePath: "/api/auth",
    port: 3000,
    integration: undefined,
  },
  {
    id: "express",
    name: "Express",
    dependencies: ["express"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/express",
  },
]

/** Any other server with `Request` and `Response`. */
export const plain: Framework = {
  id: "core",
  name: "other servers",
  dependencies: [],
  envFile: ".env",
  basePath: "/auth",
  port: 3000,
  integration: "@latchkey/core",
}
