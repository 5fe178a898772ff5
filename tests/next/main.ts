import { readFileSync } from "node:fs"
import { here, type Major, type Source } from "./build.js"

const matcher = '["/((?!free|_next/static).*)"]'

/** webpack bundles linked packages, and the SQLite driver can't find its native library in a bundle. */
const unbundled = {
  "sqlite.js": 'export const { sqlite } = await import(/* webpackIgnore: true */ "@latchkey/sql/sqlite")\n',
}

/** An adapter for the edge runtime, too. */
const remote = { "database.js": readFileSync(here("swap/database.js"), "utf8") }

/** Files of `app` that differ between majors. */
const files: Readonly<Record<Major, Readonly<Record<string, string>>>> = {
  14: { ...middleware("middleware"), ...formState("useFormState", "react-dom"), ...unbundled, ...remote },
  15: { ...middleware("middleware"), ...formState("useActionState", "react"), ...unbundled, ...remote },
  16: { ...middleware("proxy"), ...formState("useActionState", "react"), ...remote },
}

/** The application that calls `auth` everywhere. */
export function main(major: Major): Source {
  return { folder: "app", major, files: files[major] }
}

/** With webpack, Next.js 16 can't build any Route Handler for the edge runtime. */
const withoutEdge = {
  "app/edge/route.js": `import { auth } from "../../auth.js"

export const GET = auth(({ auth }) => Response.json({ auth }))
`,
  "app/free/edge-auth/[...nextauth]/route.js": `export const GET = () => new Response()
`,
}

/** The same application, which Next.js 16 builds with webpack. */
export const mainWithWebpack: Source = {
  folder: "app",
  major: 16,
  bundler: "webpack",
  files: { ...files[16], ...unbundled, ...withoutEdge },
}

function middleware(name: "middleware" | "proxy"): Readonly<Record<string, string>> {
  const text = `export { auth as ${name} } from "./auth.js"\n\nexport const config = { matcher: ${matcher} }\n`
  return { [`${name}.js`]: text }
}

function formState(name: string, from: string): Readonly<Record<string, string>> {
  return { "form-state.js": `export { ${name} as useActionState } from "${from}"\n` }
}
