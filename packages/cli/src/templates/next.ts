import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import type { FileToWrite } from "../project/files.js"
import { majorOf, type Project } from "../project/project.js"

/** The layout of a Next.js application. */
interface Layout {
  /** `src/` or empty. */
  readonly source: string
  readonly usesPages: boolean
  /** The alias for `source` in imports, usually `@/`. Undefined if there is none. */
  readonly alias: string | undefined
  readonly script: "ts" | "js"
  readonly page: "tsx" | "js"
}

/** The files for Next.js, for its major version and router. */
export function nextFiles(project: Project): FileToWrite[] {
  const layout = layoutOf(project)
  const { source, script } = layout
  const name = (majorOf(project, "next") ?? 16) >= 16 ? "proxy" : "middleware"
  const file = (path: string, text: (auth: string) => string): FileToWrite => ({
    path: source + path,
    text: text(importOf(layout, path)),
  })
  return [
    file(`auth.${script}`, () => configuration),
    file(`app/api/auth/[...nextauth]/route.${script}`, route),
    file(`${name}.${script}`, (auth) => guard(auth, name)),
    layout.usesPages
      ? file(`pages/account.${layout.page}`, (auth) => (script === "ts" ? typedPage(auth) : page(auth)))
      : file(`app/account/page.${layout.page}`, appPage),
  ]
}

function layoutOf({ root, typescript }: Project): Layout {
  const has = (path: string) => existsSync(join(root, path))
  const source = has("src/app") || has("src/pages") ? "src/" : ""
  return {
    source,
    usesPages: !has(`${source}app`) && has(`${source}pages`),
    alias: aliasIn(root, source),
    script: typescript ? "ts" : "js",
    page: typescript ? "tsx" : "js",
  }
}

/** The alias of an entry like `"@/*": ["./src/*"]` in tsconfig.json or jsconfig.json, which may contain comments. */
function aliasIn(root: string, source: string): string | undefined {
  const path = ["tsconfig.json", "jsconfig.json"].map((name) => join(root, name)).find(existsSync)
  const text = path === undefined ? "" : readFileSync(path, "utf8")
  const [, alias, target] = /"([@~]\/)\*"\s*:\s*\[\s*"(?:\.\/)?([\w/]*)\*"/.exec(text) ?? []
  return target === source ? alias : undefined
}

function importOf({ alias }: Layout, path: string): string {
  if (alias !== undefined) return `${alias}auth`
  const up = posix.relative(dirname(path), "auth")
  return up.startsWith(".") ? up : `./${up}`
}

const configuration = `import NextAuth from "@latchkey/next"

export const { handlers, auth, requireSession, signIn, signOut, update } = NextAuth({
  security: "strict",
  providers: [],
  callbacks: {
    // Pages that the matcher names require a session.
    authorized: ({ auth }) => auth !== null,
  },
})
`

const route = (auth: string) => `import { handlers } from "${auth}"

export const { GET, POST } = handlers
`

const guard = (auth: string, name: string) => `export { auth as ${name} } from "${auth}"

export const config = { matcher: ["/account/:path*"] }
`

/** With Cache Components, which new applications have, Next.js refuses to read a session outside of `<Suspense>`. */
const appPage = (auth: string) => `import { Suspense } from "react"
import { requireSession, signOut } from "${auth}"

async function signOutAction() {
  "use server"
  await signOut({ redirectTo: "/" })
}

async function Greeting() {
  const session = await requireSession()
  return <h1>Hello {session.user?.name ?? session.user?.email}</h1>
}

export default function Account() {
  return (
    <main>
      <Suspense>
        <Greeting />
      </Suspense>
      <form action={signOutAction}>
        <button>Sign out</button>
      </form>
    </main>
  )
}
`

const body = `  return (
    <main>
      <h1>Hello {session?.user?.name ?? session?.user?.email}</h1>
      <a href="/api/auth/signout">Sign out</a>
    </main>
  )
}
`

const page = (auth: string) => `import { auth } from "${auth}"

export async function getServerSideProps(context) {
  return { props: { session: await auth(context) } }
}

export default function Account({ session }) {
${body}`

const typedPage = (auth: string) =>
  [
    'import type { GetServerSideProps } from "next"',
    'import type { Session } from "@latchkey/next"',
    `import { auth } from "${auth}"`,
    `
interface Props {
  session: Session | null
}

export const getServerSideProps: GetServerSideProps<Props> = async (context) => ({
  props: { session: await auth(context) },
})

export default function Account({ session }: Props) {
${body}`,
  ].join("\n")
