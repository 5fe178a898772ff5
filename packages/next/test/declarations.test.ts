import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { compileErrors, emptyFolder, installed, link, publish, write } from "./installed.js"

/** Transitive dependencies, which the declarations of an application can't name. */
const transitive = ["core", "client", "react"]

/** The layout of pnpm: every package in its own store folder, beside links to its dependencies, with nothing hoisted. */
async function pnpmStore(workspace: string): Promise<string> {
  const folderOf = (short: string) => join(workspace, `node_modules/.pnpm/@latchkey+${short}@0.1.0/node_modules`)
  for (const short of [...transitive, "next"]) {
    await publish(short, join(folderOf(short), "@latchkey", short))
    const siblings = transitive.filter((other) => other !== short)
    await link(
      folderOf(short),
      Object.fromEntries([
        ...siblings.map((other) => [`@latchkey/${other}`, join(folderOf(other), "@latchkey", other)]),
        ...["next", "react", "@types"].map((name) => [name, join(installed, name)]),
      ]),
    )
  }
  return join(folderOf("next"), "@latchkey/next")
}

interface Resolution {
  readonly module: string
  readonly moduleResolution: string
}

const bundler: Resolution = { module: "esnext", moduleResolution: "bundler" }
const nodenext: Resolution = { module: "nodenext", moduleResolution: "nodenext" }

function settings(resolution: Resolution, more: object = {}): string {
  const compilerOptions = {
    ...resolution,
    target: "es2022",
    lib: ["dom", "dom.iterable", "esnext"],
    strict: true,
    skipLibCheck: true,
    types: ["node", "react"],
    composite: true,
    declaration: true,
    rootDir: ".",
    outDir: "dist",
  }
  return JSON.stringify({ compilerOptions, include: ["*.ts"], ...more })
}

/** Versions of an `auth.ts` with inferred types. `NAME` is the name of the package. */
const programs: Readonly<Record<string, string>> = {
  "the usual auth.ts": `
    import NextAuth from "NAME"
    export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({ providers: [] })
  `,
  "an auth.ts with its own session type": `
    import NextAuth from "NAME"
    export const { handlers, auth, signIn, signOut } = NextAuth({
      providers: [],
      callbacks: {
        jwt: ({ token, user }) => ({ ...token, role: user?.name ?? "none" }),
        session: ({ session, token }) => ({ ...session, role: token.role, user: { ...session.user, id: token.sub } }),
      },
    })
  `,
  "an auth.ts that returns the session unchanged": `
    import NextAuth from "NAME"
    export const auth = NextAuth({ providers: [], callbacks: { session: ({ session }) => session } })
    export const { requireSession, update } = auth
    export const wrapped = auth.auth((request) => Response.json(request.auth))
    export const read = async () => (await auth.auth())?.user
  `,
  "a separate configuration": `
    import NextAuth, { type NextAuthConfig } from "NAME"
    import Credentials from "NAME/providers/credentials"
    import Email from "NAME/providers/email"
    import GitHub from "NAME/providers/github"
    export const credentials = Credentials({ credentials: { code: { label: "Code" } }, authorize: () => null })
    export const email = Email({ from: "door@site.test" })
    export const github = GitHub({ clientId: "a" })
    export const providers = [credentials, email, github, GitHub]
    export const config = {
      providers,
      callbacks: { jwt: ({ token, trigger }) => (trigger === "update" ? null : token), authorized: ({ auth }) => !!auth },
      events: { signIn: ({ user }) => console.log(user.id) },
      logger: { error: (error) => console.error(error) },
    } satisfies NextAuthConfig
    export const { auth } = NextAuth(config)
    export const lazily = NextAuth(async (request) => ({ ...config, secret: request?.headers.get("host") ?? "" }))
  `,
  "an auth.ts that exports functions": `
    import NextAuth, { AuthError, CredentialsSignin } from "NAME"
    import { decode, encode, getToken } from "NAME/jwt"
    const { auth, signIn, signOut, update } = NextAuth({ providers: [] })
    export class WrongCode extends CredentialsSignin { code = "wrong" }
    export const enter = signIn.bind(null, "github")
    export const leave = () => signOut({ redirect: false })
    export const rename = async (name: string) => update({ user: { name } })
    export const reason = (error: unknown) => (error instanceof AuthError ? error : undefined)
    export const open = (token: string) => decode({ token, secret: "s", salt: "t" })
    export const seal = (name: string) => encode({ token: { name }, secret: "s", salt: "t" })
    export const claims = (req: Request) => getToken({ req, secret: "s" })
    export const who = async () => auth()
  `,
}

const consumer = `
  import { auth } from "AUTH"
  export const name = async (): Promise<string | null | undefined> => (await auth())?.user?.name
`

describe.each(["@latchkey/next", "next-auth"])("imported as %s in a workspace,", (name) => {
  let workspace: string
  let library: string

  beforeAll(async () => {
    workspace = await emptyFolder()
    library = join(workspace, "packages/auth")
    const next = await pnpmStore(workspace)
    const others = Object.fromEntries(["next", "react", "@types"].map((other) => [other, join(installed, other)]))
    await link(join(library, "node_modules"), { [name]: next, ...others })
    await link(join(workspace, "apps/web/node_modules"), { "@my/auth": library, ...others })
    await write(library, {
      "package.json": JSON.stringify({ name: "@my/auth", type: "module", exports: { ".": "./dist/auth.js" } }),
    })
    await write(join(workspace, "apps/web"), { "package.json": JSON.stringify({ name: "web", type: "module" }) })
  })

  afterAll(() => rm(workspace, { recursive: true, force: true }))

  async function declared(program: string, resolution: Resolution): Promise<string> {
    await rm(join(library, "dist"), { recursive: true, force: true })
    await write(library, { "tsconfig.json": settings(resolution), "auth.ts": program.replaceAll("NAME", name) })
    expect(await compileErrors(library, "TypeScript 7")).toBe("")
    return readFile(join(library, "dist/auth.d.ts"), "utf8")
  }

  test.each(Object.entries(programs))("%s emits declarations that name only the package", async (_, program) => {
    for (const resolution of [bundler, nodenext]) {
      const text = await declared(program, resolution)
      const named = [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, from = ""]) => from)
      expect(
        named.filter((from) => from !== name && !from.startsWith(`${name}/`) && !/^next(?:\/|$)/.test(from)),
      ).toEqual([])
      expect(text).not.toMatch(/\bany\b/)
    }
  })

  test("all of them emit declarations with the compiler that Next.js installs", async () => {
    const all = Object.values(programs).map((program) => program.replaceAll("NAME", name))
    const together = join(workspace, "packages/all")
    await link(together, { node_modules: join(library, "node_modules") })
    await write(together, {
      "package.json": JSON.stringify({ name: "@my/all", type: "module" }),
      "tsconfig.json": settings(bundler),
      ...Object.fromEntries(all.map((program, index) => [`auth-${index}.ts`, program])),
    })
    expect(await compileErrors(together, "TypeScript 6")).toBe("")
  })

  test("another project compiles against the declarations", async () => {
    const web = join(workspace, "apps/web")
    await rm(join(library, "dist"), { recursive: true, force: true })
    await write(library, {
      "tsconfig.json": settings(nodenext),
      "auth.ts": programs["an auth.ts with its own session type"]?.replaceAll("NAME", name) ?? "",
    })
    await write(web, {
      "tsconfig.json": settings(nodenext, { references: [{ path: "../../packages/auth" }] }),
      "page.ts": consumer.replace("AUTH", "@my/auth"),
    })
    expect(await compileErrors(web, "TypeScript 7", ["-b"])).toBe("")
  })
})
