/** What the command line knows about a framework. */
export interface Framework {
  readonly id: string
  readonly name: string
  /** Whoever depends on one of these uses it. */
  readonly dependencies: readonly string[]
  readonly envFile: string
  /** Where the routes are, unless the configuration says otherwise. */
  readonly basePath: string
  /** Of the development server. */
  readonly port: number
  /** Our package for it; undefined while there is none. */
  readonly integration: string | undefined
}

/** Those that bring a server of another framework along come first. */
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
    integration: undefined,
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

/** For anything else with `Request` and `Response`. */
export const plain: Framework = {
  id: "core",
  name: "no framework that is known here",
  dependencies: [],
  envFile: ".env",
  basePath: "/auth",
  port: 3000,
  integration: "@latchkey/core",
}
