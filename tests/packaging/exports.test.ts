import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { declarationsOf, folderOf, readExports, root } from "./compiler.js"

/** Names of the published packages that are missing here on purpose. Each has a row in docs/differences.md. */
const deliberate: readonly string[] = []

describe.each([
  ["next-auth", "next"],
  ["@auth/core", "core"],
  ["@auth/express", "express"],
  ["@auth/qwik", "qwik"],
  ["@auth/sveltekit", "sveltekit"],
])("everything that %s exports", (published, short) => {
  const theirs = declarationsOf(folderOf(published))
  const ours = declarationsOf(join(root, "packages", short))
  const exportsOf = readExports([...theirs.values(), ...ours.values()])

  /** `name` or `type name` for each export of a sub-path. */
  function listOf(file: string | undefined): readonly string[] {
    if (file === undefined) return []
    const { values, types } = exportsOf(file)
    return [...[...values].map((name) => name), ...[...types].map((name) => `type ${name}`)]
  }

  test("was read", () => {
    expect(theirs.size).toBeGreaterThan(100)
    expect(listOf(theirs.get("."))).toContain("customFetch")
    expect(listOf(theirs.get("./providers/github"))).toEqual(expect.arrayContaining(["default", "type GitHubProfile"]))
  })

  test("has a module here for each sub-path", () => {
    expect([...theirs.keys()].filter((subpath) => !ours.has(subpath))).toEqual([])
  })

  test("is exported by the same sub-path here, values and types", () => {
    const missing = [...theirs].flatMap(([subpath, file]) => {
      const here = new Set(listOf(ours.get(subpath)))
      return listOf(file)
        .filter((name) => !here.has(name))
        .map((name) => `${published}${subpath.slice(1)}: ${name}`)
    })
    expect(missing).toEqual(deliberate.filter((name) => name.startsWith(`${published}:`)))
  })
})

/** Files that `moduleResolution: "node"` finds in next-auth, although it doesn't export them. Applications import their types. */
test.each([
  ["lib/index", ["NextAuthConfig", "NextAuthMiddleware", "NextAuthRequest", "WithAuthArgs"]],
  ["lib/types", ["AppRouteHandlerFn", "AppRouteHandlerFnContext", "AppRouteHandlers"]],
  ["lib/client", ["AuthClientConfig", "ClientSafeProvider", "SessionProviderProps", "SignInOptions", "SignInResponse"]],
])("the types of next-auth/%s exist here", (file, some) => {
  const theirs = join(folderOf("next-auth"), `${file}.d.ts`)
  const ours = join(root, "packages", "next", "dist", `${file}.d.ts`)
  const exportsOf = readExports([theirs, ours])
  const wanted = [...exportsOf(theirs).types].filter((name) => name !== "ClientSessionError")
  expect(wanted).toEqual(expect.arrayContaining(some))
  expect(wanted.filter((name) => !exportsOf(ours).types.has(name))).toEqual([])
})
