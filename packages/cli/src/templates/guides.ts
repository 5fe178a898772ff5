import { majorOf, type Project } from "../project/project.js"
import { ending } from "./example.js"

/** Lines for a file of the application, which `init` doesn't change. */
export interface Addition {
  /** Its path, or words for it. */
  readonly file: string
  readonly lines: readonly string[]
}

/** What to do by hand after `init`. */
export interface Guide {
  readonly additions: readonly Addition[]
  /** The files that many applications have. If one exists, `init` keeps it and shows these lines instead, if any. */
  readonly shared: Readonly<Record<string, readonly string[]>>
  /** The command that starts the application with the variables of the env file, if its own doesn't read the file. */
  readonly start?: string
}

export function guideFor(project: Project): Guide {
  return guides[project.framework.id]?.(project) ?? { additions: [], shared: {} }
}

const guides: Readonly<Record<string, (project: Project) => Guide>> = {
  astro: () => ({
    additions: [
      {
        file: "astro.config.mjs, with the adapter of your platform",
        lines: ['import node from "@astrojs/node"', "", 'output: "server", adapter: node({ mode: "standalone" }),'],
      },
      {
        file: "a page that requires a session",
        lines: [
          "---",
          'import { auth } from "../auth"',
          "",
          "const session = await auth.requireSession(Astro)",
          "if (session instanceof Response) return session",
          "---",
        ],
      },
    ],
    shared: {
      "src/middleware.ts": [
        'import { sequence } from "astro:middleware"',
        'import { auth } from "./auth"',
        "",
        "export const onRequest = sequence(auth.onRequest, yours)",
      ],
      "src/env.d.ts": [
        "interface Locals { session: Awaited<ReturnType<typeof auth.getSession>> } // in `namespace App`",
      ],
    },
  }),
  elysia: (project) =>
    server(project, "Elysia", [
      'app.use(auth).get("/account", ({ session }) => session.user, { requireSession: true })',
    ]),
  express: (project) =>
    server(project, "Express", [
      'app.set("trust proxy", "loopback") // if the app runs behind a reverse proxy',
      "app.use(auth.routes)",
      'app.get("/account", auth.requireSession, (req, res) => void res.json(res.locals.session.user))',
    ]),
  fastify: (project) =>
    server(
      project,
      "Fastify",
      [
        'import { requireSession } from "@latchkey/fastify"',
        "",
        "await addAuth(app)",
        'app.get("/account", { preHandler: requireSession }, async (request) => request.authSession.user)',
      ],
      "addAuth",
    ),
  hono: (project) =>
    server(project, "Hono", [
      "app.use(auth.routes)",
      'app.get("/account", auth.requireSession, (c) => c.json(c.var.session.user))',
    ]),
  nestjs: () => ({
    additions: [
      {
        file: "the root module",
        lines: ['import { AuthModule } from "./auth.js"', "", "@Module({ imports: [AuthModule] })"],
      },
      {
        file: "controllers: every handler needs a session now, unless it's public",
        lines: [
          'import { type AppSession, CurrentSession, Public } from "@latchkey/nestjs"',
          "",
          "@Public() @Get() home() {}",
          '@Get("account") account(@CurrentSession() session: AppSession) {}',
        ],
      },
    ],
    shared: {},
  }),
  node: (project) => {
    const from = `./auth${ending(project)}`
    const lines = [
      'import { createServer } from "node:http"',
      `import { auth } from "${from}"`,
      "",
      "createServer(",
      "  auth.handler(async (req, res) => {",
      "    const session = await auth.requireSession(req, res)",
      "    if (session !== null) res.end(`Hello ${session.user?.name}`)",
      "  }),",
      ").listen(3000)",
    ]
    const start = `node --env-file=${project.framework.envFile}`
    return { additions: [{ file: "the file that creates the server", lines }], shared: {}, start }
  },
  nuxt: () => ({
    additions: [
      { file: "nuxt.config.ts", lines: ['modules: ["@latchkey/nuxt"],'] },
      {
        file: "a page that shows the session",
        lines: ["<script setup>", "const { data: session } = await useSession()", "</script>"],
      },
      {
        file: "a server route that requires a session",
        lines: ["export default defineEventHandler((event) => auth.requireSession(event))"],
      },
    ],
    shared: {},
  }),
  "react-router": (project) => ({
    additions: [
      ...(majorOf(project, "react-router") === 7
        ? [
            {
              file: "react-router.config.ts",
              lines: ["future: { v8_middleware: true, v8_passThroughRequests: true },"],
            },
          ]
        : []),
      { file: "app/routes.ts", lines: ['route("auth/*", "routes/auth.ts"),'] },
      {
        file: "app/root.tsx",
        lines: ['import { auth } from "./auth.server"', "", "export const middleware = [auth.middleware]"],
      },
      {
        file: "a route that requires a session",
        lines: [
          'import { auth } from "../auth.server"',
          "",
          "export async function loader(args: Route.LoaderArgs) {",
          "  return { session: await auth.requireSession(args) }",
          "}",
        ],
      },
    ],
    shared: {},
  }),
  "tanstack-start": () => ({
    additions: [
      {
        file: "src/auth.functions.ts, for beforeLoad of a route that requires a session",
        lines: [
          'import { createServerFn } from "@tanstack/react-start"',
          'import { auth } from "./auth.server"',
          "",
          "export const requireSession = createServerFn()",
          "  .validator((page: string) => page)",
          "  .handler(({ data }) => auth.requireSession({ callbackUrl: data }))",
          "",
          "// In the route: beforeLoad: async ({ location }) => ({ session: await requireSession({ data: location.publicHref }) })",
        ],
      },
    ],
    shared: {
      "src/start.ts": [
        'import { auth } from "./auth.server"',
        "",
        "const authMiddleware = createMiddleware().server(auth.middleware) // in `requestMiddleware` of createStart",
      ],
    },
  }),
  sveltekit: (project) => ({
    additions: [
      majorOf(project, "@sveltejs/kit") === 2
        ? {
            file: "the command that starts the build of @sveltejs/adapter-node, which refuses forms otherwise",
            lines: ["ORIGIN=https://app.example node build"],
          }
        : {
            file: "vite.config.ts if you use @sveltejs/adapter-node, which refuses forms otherwise",
            lines: ['sveltekit({ adapter: node(), paths: { origin: "https://app.example" } })'],
          },
      {
        file: "a page that requires a session, such as src/routes/account/+page.server.ts",
        lines: [
          'import { requireSession } from "../../auth"',
          "",
          "export const load = async (event) => ({ session: await requireSession(event) })",
        ],
      },
    ],
    shared: {
      "src/hooks.server.ts": [
        'import { sequence } from "@sveltejs/kit/hooks"',
        'import { handle as auth } from "./auth"',
        "",
        "export const handle = sequence(auth, yours)",
      ],
      "src/app.d.ts": [
        'import type { auth } from "./auth"',
        "",
        'declare module "@latchkey/sveltekit" {',
        "  interface Register {",
        "    auth: typeof auth",
        "  }",
        "}",
      ],
      "src/env.ts": [
        "AUTH_SECRET: { schema: (value: string | undefined) => value }, // in defineEnvVars, and so on for each variable",
      ],
    },
  }),
  "solid-start": () => ({
    additions: [
      { file: "vite.config.ts", lines: ['solidStart({ middleware: "./src/middleware.ts" })'] },
      {
        file: "a route that requires a session",
        lines: [
          'import { query } from "@solidjs/router"',
          'import { requireSession } from "../auth"',
          "",
          "const getAccount = query(async () => {",
          '  "use server"',
          '  return (await requireSession({ redirectTo: "/account" })).user',
          '}, "account")',
        ],
      },
    ],
    shared: {
      "src/middleware.ts": ['import { middleware } from "./auth"', "", "export default createMiddleware([middleware])"],
    },
  }),
}

/**
 * A server, whose app is in a file that `init` can't name.
 *
 * @param imported what that file imports from the file with the integration
 */
function server(project: Project, name: string, lines: readonly string[], imported = "auth"): Guide {
  const from = `./auth${ending(project)}`
  const isImport = lines[0]?.startsWith("import ") === true
  return {
    additions: [
      {
        file: `the file that creates the ${name} app`,
        lines: [`import { ${imported} } from "${from}"`, ...(isImport ? [] : [""]), ...lines],
      },
    ],
    shared: {},
    start: `node --env-file=${project.framework.envFile}`,
  }
}
