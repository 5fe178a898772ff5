import { check } from "@latchkey/core"
import { defineModule, type ModuleContext, type ModuleParts, type RecordType, type Route } from "@latchkey/core/module"
import type { Module } from "@latchkey/core/types"
import { fail, type ModuleCase, type ModuleSubject } from "./subject.js"
import { siteOf } from "./site.js"

export const shape: ModuleCase = {
  id: "module.shape",
  name: "what the module declares is sound, and the configuration is valid",
  async run(subject) {
    const { config, module, parts } = await siteOf(subject)
    // Functions aren't part of the check, and their types depend on the session.
    const [problem] = check({ ...config, callbacks: {} }).errors
    if (problem !== undefined) fail("The configuration is valid", `${problem.path}: ${problem.problem}`)
    const [option] = parts.check?.() ?? []
    if (option !== undefined) fail("The options of the module are valid", option)
    for (const [name, type] of Object.entries(module.records ?? {})) checkRecord(module, name, type)
    checkParts(module, parts)
    await checkMembers(subject, module, parts)
  },
}

function checkRecord({ id }: Module, name: string, { fields, key, index }: RecordType): void {
  const subject = `The record ${name}`
  const kind = `${id}.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (!/^[a-z0-9._-]{1,64}$/.test(kind)) fail(`${subject} has a kind of at most 64 characters of a-z and 0-9`, kind)
  if (key.length === 0) fail(`${subject} has a key`, "none")
  if (index.length > 2) fail(`${subject} has at most two fields of \`index\``, String(index.length))
  const owners = Object.values(fields).filter(({ kind: each }) => each === "owner")
  if (owners.length > 1) fail(`${subject} has at most one owner`, String(owners.length))
  for (const named of [...key, ...index]) {
    const field = fields[String(named)]
    if (field === undefined) fail(`${subject} has the fields that name it`, `no ${String(named)}`)
    if (field.kind === "sealed") fail(`${subject} isn't found by what is sealed`, String(named))
  }
}

function checkParts({ providers = [] }: Module, { routes = [], limits = {}, factor, prove }: ModuleParts): void {
  if (providers.length > 0 !== (prove !== undefined)) fail("The module has `providers` with `prove`", "one of them")
  if (factor !== undefined && factor.amr.length === 0) fail("The factor has an `amr`", "none")
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) fail("The routes differ", `${twice} twice`)
  for (const route of routes) checkRoute(route, Object.keys(limits))
}

function checkRoute({ method, path, options: { limit } }: Route, limits: readonly string[]): void {
  if (!/^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method))
    fail("The method of a route is known", `${method} ${path}`)
  if (/^\/|\/$|\/\/|[?#]/.test(path)) fail("The path of a route has no empty segments and no query", path)
  if (limit !== undefined && !limits.includes(limit)) fail("The limit of a route is one of `limits`", limit)
}

/** `server` returns what `members` names. A module in its place looks at it. */
async function checkMembers(subject: ModuleSubject, { members = [] }: Module, { server }: ModuleParts): Promise<void> {
  let returned: object = {}
  const create = (): Module => {
    const { id, records = {} } = subject.create()
    const look = (context: ModuleContext) => {
      returned = server?.(context) ?? {}
      return { look: () => undefined }
    }
    return defineModule<string, { look(): void }>({
      id,
      records,
      members: ["look"],
      load: async () => ({ server: look }),
    })
  }
  const site = await siteOf({ ...subject, create })
  await site.server.members[site.module.id]?.["look"]?.()
  const functions = Object.entries(returned).flatMap(([name, value]) => (typeof value === "function" ? [name] : []))
  if (functions.toSorted().join() !== members.toSorted().join())
    fail(
      `\`server\` returns the functions that \`members\` names: ${members.join(", ")}`,
      functions.join(", ") || "none",
    )
}
