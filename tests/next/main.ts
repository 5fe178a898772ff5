import type { Major, Source } from "./build.js"

const matcher = '["/((?!free|_next/static).*)"]'

/** webpack takes linked packages into its bundles, where the driver of SQLite does not find its library. */
const unbundled = {
  "sqlite.js": 'export const { sqlite } = await import(/* webpackIgnore: true */ "@latchkey/sql/sqlite")\n',
}

/** Text of the files of `app` that each major has under another name, or in other words. */
const files: Readonly<Record<Major, Readonly<Record<string, string>>>> = {
  14: { ...middleware("middleware"), ...formState("useFormState", "react-dom"), ...unbundled },
  15: { ...middleware("middleware"), ...formState("useActionState", "react"), ...unbundled },
  16: { ...middleware("proxy"), ...formState("useActionState", "react") },
}

/** The application with every form of `auth`. */
export function main(major: Major): Source {
  return { folder: "app", major, files: files[major] }
}

function middleware(name: "middleware" | "proxy"): Readonly<Record<string, string>> {
  const text = `export { auth as ${name} } from "./auth.js"\n\nexport const config = { matcher: ${matcher} }\n`
  return { [`${name}.js`]: text }
}

function formState(name: string, from: string): Readonly<Record<string, string>> {
  return { "form-state.js": `export { ${name} as useActionState } from "${from}"\n` }
}
