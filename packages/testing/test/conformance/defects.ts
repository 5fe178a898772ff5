import { route, record, text } from "@latchkey/core/module"
import type { ModuleSubject } from "@latchkey/testing"
import { type KeyParts, keys, removeAny } from "./keys.js"
import { type Change, pin, type PinContext, type PinParts, removeRoute, setPin, setRoute } from "./pin.js"

export interface Defect {
  readonly what: string
  readonly subject: ModuleSubject
  /** Ids of all cases that fail. */
  readonly breaks: readonly string[]
}

const withParts = (parts: (good: PinParts) => Partial<PinParts>) => pin(() => ({ parts }))
const withSet = (...given: Parameters<typeof setRoute>) =>
  withParts(() => ({ routes: [setRoute(...given), removeRoute] }))
const withFactor = (change: (good: NonNullable<PinParts["factor"]>) => Partial<NonNullable<PinParts["factor"]>>) =>
  withParts(({ factor }) => (factor ? { factor: { ...factor, ...change(factor) } } : {}))
const withTexts = (de: Readonly<Record<string, string>>) =>
  withParts(({ texts }) => ({ texts: { en: {}, ...texts, de } }))

/** Its factor is asked of the users in a set, and no record says who they are. */
function remembering(set: Set<string>): Change {
  return {
    parts: ({ factor, revoke }) => ({
      routes: [
        setRoute(async (context, userId, value) => (await setPin(context, userId, value)) && set.add(userId)),
        removeRoute,
      ],
      ...(factor && { factor: { ...factor, isRequired: (_, { user }) => set.has(user.id) } }),
      async revoke(context, user, reason) {
        set.delete(user.id)
        await revoke?.(context, user, reason)
      },
    }),
  }
}

const known = new Set<string>()

const shape: readonly Defect[] = [
  {
    what: "`members` names a function that `server` doesn't return",
    subject: pin(() => ({ module: { members: ["has", "reset"] } })),
    breaks: ["module.shape"],
  },
  {
    what: "a route has a limit that isn't in `limits`",
    subject: withParts(({ routes = [] }) => ({
      routes: [...routes, route("GET", "help", { limit: "help" }, ({ json }) => json("none"))],
    })),
    breaks: ["module.shape"],
  },
  {
    what: "a record has a key that is no field",
    subject: pin(() => ({ records: { other: { ...record({ name: text() }, { key: ["name"] }), key: ["id"] } } })),
    breaks: ["module.shape"],
  },
]

const order: readonly Defect[] = [
  {
    what: "`session` drops what modules before it added",
    subject: pin(() => ({
      module: { session: ({ session: { user, expires } }) => ({ ...(user && { user }), expires }) },
    })),
    breaks: ["module.order"],
  },
]

/** Two records that need each other, in two writes. */
const inTwoSteps: PinParts["routes"] = [
  setRoute(async (context, userId, value) => {
    await setPin(context, userId, value)
    await context.records.note.insert({ name: reversed(value), by: "" })
  }),
  removeRoute,
]

const reversed = (value: string): string => [...value].toReversed().join("")

const failedWrites: readonly Defect[] = [
  {
    what: "a second record is missing if its write fails",
    subject: withParts(({ factor }) => ({
      routes: inTwoSteps,
      ...(factor && {
        factor: {
          ...factor,
          async form(context, attempt) {
            const stored = await context.records.pin.get({ userId: attempt.user.id })
            const note = await context.records.note.get({ name: reversed(stored?.value ?? "") })
            if (note === null) throw new Error("There is no note")
            return factor.form(context, attempt)
          },
        },
      }),
    })),
    breaks: ["module.failed-writes"],
  },
  {
    what: "a record that is there already is an error",
    subject: withSet(async ({ records: { pin } }, userId, value) => {
      if (!(await pin.insert({ userId, value }))) throw new Error("There is a PIN")
    }),
    breaks: ["module.failed-writes"],
  },
  {
    what: "a write that failed is reported as done",
    subject: withSet((context, userId, value) => setPin(context, userId, value).catch(() => true)),
    breaks: ["module.failed-writes"],
  },
  {
    what: "a lock is never released after a failure",
    subject: pin(() => {
      const busy = new Set<string>()
      const set = async (context: PinContext, userId: string, value: string) => {
        if (busy.has(userId)) throw new Error("Another request is setting the PIN")
        busy.add(userId)
        await setPin(context, userId, value)
        busy.delete(userId)
      }
      return { parts: () => ({ routes: [setRoute(set), removeRoute] }) }
    }),
    breaks: ["module.failed-writes"],
  },
]

/** What a module doesn't have. The types don't allow it. */
const none = undefined as never

const ends: readonly Defect[] = [
  {
    what: "there's no `revoke`",
    subject: withParts(() => ({ revoke: none })),
    breaks: ["module.revoke"],
  },
  {
    what: "there's no `revoke`, and nothing shows that what it issues works",
    subject: { ...keys(() => ({ revoke: none })), enroll: async () => ({}) },
    breaks: ["module.revoke"],
  },
  {
    what: "keys of a user who is disabled work",
    subject: keys(() => ({ revoke: () => undefined })),
    breaks: ["module.revoke", "module.disable"],
  },
  { what: "`revoke` does nothing", subject: withParts(() => ({ revoke: () => undefined })), breaks: ["module.revoke"] },
  {
    what: "`revoke` ends the keys of all users",
    subject: keys(() => ({
      async revoke({ records: { key } }) {
        for (const { id } of (await key.find({ name: "key" })).items) await key.remove({ id })
      },
    })),
    breaks: ["module.revoke", "module.disable"],
  },
  {
    what: "a record names the user, and has no owner",
    subject: withSet(async (context, userId, value) => {
      await setPin(context, userId, value)
      await context.records.note.insert({ name: crypto.randomUUID(), by: userId })
    }),
    breaks: ["module.delete"],
  },
]

const exported = (exports: PinParts["export"]) => withParts(() => (exports ? { export: exports } : {}))

const exports: readonly Defect[] = [
  {
    what: "records have owners, and there's no `export`",
    subject: { ...keys(() => ({ export: none })), enroll: async () => ({}) },
    breaks: ["module.export"],
  },
  { what: "`export` returns nothing", subject: exported(() => undefined), breaks: ["module.export"] },
  {
    what: "`export` returns the PIN",
    subject: exported(async ({ records }, { id }) => records.pin.get({ userId: id })),
    breaks: ["module.export"],
  },
  {
    what: "`export` returns the keys of all users",
    subject: keys((): Partial<KeyParts> => ({ export: ({ records: { key } }) => key.find({ name: "key" }) })),
    breaks: ["module.export", "module.users"],
  },
]

const secrets: readonly Defect[] = [
  {
    what: "what a user types is printed",
    subject: withFactor(({ verify }) => ({
      verify(context, attempt, fields) {
        console.debug("typed", fields["pin"])
        return verify(context, attempt, fields)
      },
    })),
    breaks: ["module.secrets"],
  },
  {
    what: "an event has the PIN",
    subject: withSet(async (context, userId, value) => {
      await setPin(context, userId, value)
      await context.emit("set", { id: userId }, { data: { value } })
    }),
    breaks: ["module.secrets"],
  },
  {
    what: "the PIN is in a URL",
    subject: withParts(() => ({
      routes: [
        route<never>("POST", "set", {}, async (context, user) => {
          const value = String(context.request.fields["pin"])
          await setPin(context, user.id, value)
          return context.redirect({ url: `/auth/account?pin=${value}` })
        }),
        removeRoute,
      ],
    })),
    breaks: ["module.secrets"],
  },
  {
    what: "the message of an error has the PIN",
    subject: withParts(() => ({
      async revoke({ records: { pin } }, { id }) {
        const stored = await pin.get({ userId: id })
        await pin.remove({ userId: id }).catch((cause: unknown) => {
          throw new Error(`Could not remove ${stored?.value}`, { cause })
        })
      },
    })),
    breaks: ["module.secrets"],
  },
  {
    what: "a record has the PIN in plain text",
    subject: withSet(async (context, userId, value) => {
      await setPin(context, userId, value)
      await context.records.note.insert({ name: value, by: "" })
    }),
    breaks: ["module.secrets"],
  },
]

const forms: readonly Defect[] = [
  {
    what: "a form needs no CSRF token",
    subject: withSet(setPin, { csrf: false }),
    breaks: ["module.forms"],
  },
  {
    what: "a form leads to no route",
    subject: withParts(() => ({ routes: [setRoute(setPin)] })),
    breaks: ["module.forms"],
  },
  {
    what: "the answer to a form is JSON",
    subject: withParts(() => ({
      routes: [
        route<never>("POST", "set", {}, async (context, user) =>
          context.json(await setPin(context, user.id, String(context.request.fields["pin"]))),
        ),
        removeRoute,
      ],
    })),
    breaks: ["module.forms"],
  },
  {
    what: "a script adds a field to the form of the factor",
    subject: withFactor(({ form }) => ({
      async form(context, attempt) {
        const { fields: _, ...rest } = (await form(context, attempt)) ?? { title: "", submit: "" }
        return { ...rest, fields: {} }
      },
    })),
    breaks: ["module.forms"],
  },
]

const isScript = ({ request }: { readonly request: { readonly headers: Headers } }) =>
  request.headers.get("accept")?.includes("json") === true

const steps: readonly Defect[] = [
  {
    what: "a script gets another form of the factor",
    subject: withFactor(({ form }) => ({
      async form(context, attempt) {
        const shown = await form(context, attempt)
        return shown && isScript(context) ? { ...shown, fields: { ...shown.fields, device: {} } } : shown
      },
    })),
    breaks: ["module.steps"],
  },
  {
    what: "a script gets no section of the account page",
    subject: withParts(({ account }) => ({
      account: async (context, user) => (isScript(context) ? null : ((await account?.(context, user)) ?? null)),
    })),
    breaks: ["module.steps"],
  },
]

const texts: readonly Defect[] = [
  { what: "a translation has a key with a typo", subject: withTexts({ titel: "PIN" }), breaks: ["module.texts"] },
  { what: "a translation has lost a placeholder", subject: withTexts({ ask: "Deine PIN" }), breaks: ["module.texts"] },
  { what: "a translation is empty", subject: withTexts({ wrong: "" }), breaks: ["module.texts"] },
  {
    what: "a page uses a text that no language has",
    subject: withFactor(({ verify }) => ({
      verify: async (context, attempt, fields) =>
        (await verify(context, attempt, fields)) === true || context.text("wrongPin"),
    })),
    breaks: ["module.texts"],
  },
  {
    what: "a page has a placeholder without a value",
    subject: withFactor(({ form }) => ({
      async form(context, attempt) {
        const shown = await form(context, attempt)
        return shown && { ...shown, text: context.text("ask") }
      },
    })),
    breaks: ["module.texts"],
  },
]

const users: readonly Defect[] = [
  {
    what: "ids of users are compared without their case",
    subject: withParts(({ factor }) => ({
      routes: [setRoute((context, userId, value) => setPin(context, userId.toLowerCase(), value)), removeRoute],
      ...(factor && {
        factor: {
          ...factor,
          isRequired: (context, { user, ...rest }) => factor.isRequired(context, { ...rest, user: lowered(user) }),
          verify: (context, { user, ...rest }, fields) =>
            factor.verify(context, { ...rest, user: lowered(user) }, fields),
        },
      }),
    })),
    breaks: ["module.users"],
  },
  {
    what: "any answer to the factor is right",
    subject: withFactor(() => ({ verify: () => true })),
    breaks: ["module.users"],
  },
  {
    what: "a user can remove the keys of others",
    subject: keys(({ routes = [] }) => ({ routes: [...routes.slice(0, 1), removeAny] })),
    breaks: ["module.users"],
  },
  {
    what: "what a module knows is in a variable of the module's file",
    subject: pin(() => remembering(known)),
    breaks: ["module.processes"],
  },
  {
    what: "what a module knows is in a variable of the factory",
    subject: pin(() => remembering(new Set())),
    breaks: ["module.processes"],
  },
]

const lowered = <U extends { readonly id: string }>(user: U): U => ({ ...user, id: user.id.toLowerCase() })

/** Modules with one defect each. */
export const defects: readonly Defect[] = [
  ...shape,
  ...order,
  ...failedWrites,
  ...ends,
  ...exports,
  ...secrets,
  ...forms,
  ...steps,
  ...texts,
  ...users,
]
