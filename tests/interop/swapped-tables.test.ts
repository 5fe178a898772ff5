import type { Provider as PublishedProvider } from "@auth/core/providers"
import { createProvider } from "@latchkey/testing"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { layouts } from "../adapters/layouts/layouts.js"
import { forPublished, secret, sessionToken, swap } from "./applications.js"

/** tests/adapters/layouts/prisma.test.ts has Prisma. */
const swappable = layouts.filter(({ layout }) => layout !== "authjs-prisma")

describe.each(swappable)("an application with $name that swaps it for @latchkey/sql", (of) => {
  test.skipIf(of.server !== undefined && inject(of.server) === undefined)(
    "keeps its users signed in, finds them at the next sign-in, and can swap back",
    async () => {
      const opened = await of.open("signed_in")
      onTestFinished(() => opened.close())
      const adapter = opened.ours()
      if (opened.theirs === undefined) throw new Error("There is no published adapter")
      const op = createProvider({ issParameter: true })
      const { close } = await op.listen()
      onTestFinished(close)
      const provider = op.provider({ checks: ["pkce"] })
      const shared = { secret, session: { strategy: "database" } } as const
      // Both libraries accept the provider, and its types differ only in `readonly`.
      const theirProvider = { ...provider, checks: ["pkce"] } as unknown as PublishedProvider
      const { theirs, ours } = await swap({
        theirs: { ...shared, providers: [theirProvider], adapter: forPublished(opened.theirs) },
        ours: { ...shared, providers: [provider], adapter },
      })
      await theirs.signInWith(op, { as: "ada" })
      const user = { name: "Ada Lovelace", email: "ada@example.test" }
      expect(await theirs.session()).toMatchObject({ user })
      expect(await ours.session()).toMatchObject({ user })
      const stored = await adapter.getUserByEmail(user.email)
      await ours.signOut()
      expect(await theirs.session()).toBeNull()
      await ours.signInWith(op, { as: "ada" })
      expect(await adapter.getSessionAndUser(sessionToken(ours) ?? "")).toMatchObject({ user: { id: stored?.id } })
      expect(await theirs.session()).toMatchObject({ user })
    },
  )
})
