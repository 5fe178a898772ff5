import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule, type ModuleParts, owner, record, route, text } from "@latchkey/core/module"
import type { ModuleSubject } from "@latchkey/testing"

const records = { key: record({ id: text(), userId: owner(), name: text() }, { key: ["id"], index: ["name"] }) }

type Server = { ownerOf(key: string): Promise<string | null> }
export type KeyParts = ModuleParts<typeof records, Server>

const hash = async (key: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))
  return Buffer.from(digest).toString("hex")
}

const en = { title: "API keys", create: "Create", remove: "Remove" }

const good: KeyParts = {
  texts: { en },
  async account({ records: { key }, text }, { id: userId }) {
    const { items } = await key.find({ userId })
    const removals = items.map(
      ({ id }) => ({ kind: "form", route: "remove", values: { id }, submit: text("remove") }) as const,
    )
    return { title: text("title"), blocks: [{ kind: "form", route: "create", submit: text("create") }, ...removals] }
  },
  routes: [
    route<typeof records>("POST", "create", {}, async ({ records, random, text, page }, { id: userId }) => {
      const key = Buffer.from(random(20)).toString("hex")
      await records.key.insert({ id: await hash(key), userId, name: "key" })
      return page({ title: text("title"), blocks: [{ kind: "codes", codes: [key] }] })
    }),
    route<typeof records>("POST", "remove", {}, async ({ records: { key }, request, redirect }, user) => {
      const id = String(request.fields["id"])
      if ((await key.get({ id }))?.userId === user.id) await key.remove({ id })
      return redirect("account")
    }),
  ],
  async revoke({ records: { key } }, { id: userId }) {
    for (const { id } of (await key.find({ userId })).items) await key.remove({ id })
  },
  export: async ({ records: { key } }, { id: userId }) => (await key.find({ userId })).items.map(({ name }) => name),
  server: ({ records }) => ({
    ownerOf: async (key) => (await records.key.get({ id: await hash(key) }))?.userId ?? null,
  }),
}

/** API keys: no factor, several records for each user. */
export function keys(change: (good: KeyParts) => Partial<KeyParts> = () => ({})): ModuleSubject {
  return {
    adapter: memoryAdapter,
    create: () =>
      defineModule<"keys", Server, typeof records>({
        id: "keys",
        records,
        members: ["ownerOf"],
        load: async () => ({ ...good, ...change(good) }),
      }),
    async enroll({ browser, server, userId }) {
      await browser.get("/auth/account")
      await browser.submitForm("keys/create")
      const [, key = ""] = /<li>([0-9a-f]{40})<\/li>/.exec(browser.text) ?? []
      if (key === "") throw new Error("The page shows no key")
      return { works: async () => (await server.members["keys"]?.["ownerOf"]?.(key)) === userId, secrets: [key] }
    },
  }
}

/** Removes a key of any user. */
export const removeAny = route<typeof records>(
  "POST",
  "remove",
  {},
  async ({ records: { key }, request, redirect }) => {
    await key.remove({ id: String(request.fields["id"]) })
    return redirect("account")
  },
)
