/** A framework that the command line knows. */
export interface Framework {
  readonly id: string
  readonly name: string
  /** An application that depends on one of these uses the framework. */
  readonly dependencies: readonly string[]
  /** As in the guide. Vite and Next.js prefer `.env.local` to `.env`, even for an empty variable. */
  readonly envFile: string
  /** The default path of the routes. */
  readonly basePath: string
  /** The default port of the development server. */
  readonly port: number
  /** The Latchkey package for it. */
  readonly integration: string
  /** The oldest major versions that it works with. */
  readonly needs: Readonly<Record<string, number>>
  /** The package of Auth.js whose names it has, so that it can replace it under its name. */
  readonly formerly?: string
  /**
   * What starts the application in development. A bundler sets `NODE_ENV`, reads env files, and replaces `$NAME` in their
   * values. Node.js does none of it.
   */
  readonly runner: "bundler" | "node"
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
    needs: { next: 14, react: 18 },
    formerly: "next-auth",
    runner: "bundler",
  },
  {
    id: "nuxt",
    name: "Nuxt",
    dependencies: ["nuxt"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/nuxt",
    needs: { nuxt: 4 },
    runner: "bundler",
  },
  {
    id: "sveltekit",
    name: "SvelteKit",
    dependencies: ["@sveltejs/kit"],
    envFile: ".env.local",
    basePath: "/auth",
    port: 5173,
    integration: "@latchkey/sveltekit",
    needs: { "@sveltejs/kit": 2, svelte: 5 },
    formerly: "@auth/sveltekit",
    runner: "bundler",
  },
  {
    id: "qwik",
    name: "Qwik",
    dependencies: ["@builder.io/qwik-city", "@qwik.dev/router"],
    envFile: ".env.local",
    basePath: "/auth",
    port: 5173,
    integration: "@latchkey/qwik",
    needs: { "@builder.io/qwik-city": 1, "@qwik.dev/router": 2 },
    formerly: "@auth/qwik",
    runner: "bundler",
  },
  {
    id: "solid-start",
    name: "SolidStart",
    // Before version 1, SolidStart had a package of another name.
    dependencies: ["@solidjs/start", "solid-start"],
    envFile: ".env.local",
    basePath: "/api/auth",
    port: 3000,
    integration: "@latchkey/solid-start",
    needs: { "@solidjs/start": 2, "solid-start": 2 },
    formerly: "@auth/solid-start",
    runner: "bundler",
  },
  {
    id: "tanstack-start",
    name: "TanStack Start",
    dependencies: ["@tanstack/react-start"],
    envFile: ".env.local",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/tanstack-start",
    needs: { "@tanstack/react-start": 1 },
    runner: "bundler",
  },
  {
    id: "react-router",
    name: "React Router",
    dependencies: ["@react-router/dev"],
    envFile: ".env.local",
    basePath: "/auth",
    port: 5173,
    integration: "@latchkey/react-router",
    needs: { "react-router": 7 },
    runner: "bundler",
  },
  {
    id: "astro",
    name: "Astro",
    dependencies: ["astro"],
    envFile: ".env",
    basePath: "/auth",
    port: 4321,
    integration: "@latchkey/astro",
    needs: { astro: 7 },
    runner: "bundler",
  },
  {
    id: "nestjs",
    name: "NestJS",
    dependencies: ["@nestjs/core"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/nestjs",
    needs: { "@nestjs/core": 12 },
    runner: "node",
  },
  {
    id: "hono",
    name: "Hono",
    dependencies: ["hono"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/hono",
    needs: { hono: 4 },
    formerly: "@hono/auth-js",
    runner: "node",
  },
  {
    id: "fastify",
    name: "Fastify",
    dependencies: ["fastify"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/fastify",
    needs: { fastify: 5 },
    runner: "node",
  },
  {
    id: "elysia",
    name: "Elysia",
    dependencies: ["elysia"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/elysia",
    needs: { elysia: 1 },
    runner: "node",
  },
  {
    id: "express",
    name: "Express",
    dependencies: ["express"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/express",
    needs: { express: 4 },
    formerly: "@auth/express",
    runner: "node",
  },
  {
    id: "node",
    name: "a server without a framework",
    // Nothing else in package.json shows it.
    dependencies: ["@latchkey/node"],
    envFile: ".env",
    basePath: "/auth",
    port: 3000,
    integration: "@latchkey/node",
    needs: {},
    runner: "node",
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
  needs: {},
  formerly: "@auth/core",
  runner: "node",
}
