import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import {
  defineModule,
  type Module,
  type ModuleContext,
  type ModuleParts,
  owner,
  record,
  route,
  type RecordTypes,
  sealed,
  text,
} from "@latchkey/core/module"
import type { ModuleSubject } from "@latchkey/testing"

const records = {
  pin: record({ userId: owner(), value: sealed() }, { key: ["userId"] }),
  /** Only some of the defects use it. */
  note: record({ name: text(), by: text() }, { key: ["name"] }),
}

type Records = typeof records
type Server = { has(userId: string): Promise<boolean> }
export type PinParts = ModuleParts<Records, Server>
export type PinContext = ModuleContext<Records>

const en = { title: "PIN", ask: "Your PIN for {app}", wrong: "The PIN is wrong.", set: "Set", remove: "Remove" }
const de = { title: "PIN", ask: "Deine PIN für {app}", wrong: "Die PIN ist falsch.", set: "Festlegen" }

const has = async (context: PinContext, userId: string) => (await context.records.pin.get({ userId })) !== null

/** Sets or replaces the PIN of a user. */
export async function setPin({ records: { pin } }: PinContext, userId: string, value: string): Promise<boolean> {
  const before = await pin.get({ userId })
  return before === null ? pin.insert({ userId, value }) : pin.swap(before, { value })
}

export type SetRoute = Parameters<typeof route<Records>>[3]

const pinOf = (fields: Readonly<Record<string, unknown>>): string => String(fields["pin"])

/** A route of a signed-in user that gets a PIN. */
export const setRoute = (
  set: (context: Parameters<SetRoute>[0], userId: string, value: string) => Promise<unknown>,
  options: Parameters<typeof route>[2] = {},
) =>
  route<Records>("POST", "set", options, async (context, user) => {
    await set(context, user.id, pinOf(context.request.fields))
    await context.emit("set", user)
    return context.redirect("account")
  })

export const removeRoute = route<Records>("POST", "remove", {}, async (context, user) => {
  await context.records.pin.remove({ userId: user.id })
  return context.redirect("account")
})

const field = { type: "password", required: true }

const good: PinParts = {
  texts: { en, de: async () => ({ default: de }) },
  factor: {
    amr: ["pin"],
    isRequired: (context, { user }) => has(context, user.id),
    form: async ({ app, text }) => ({
      title: text("title"),
      text: text("ask", { app }),
      fields: { pin: { label: text("title"), ...field } },
      submit: text("set"),
    }),
    verify: async ({ records: { pin }, text }, { user }, fields) =>
      (await pin.get({ userId: user.id }))?.value === fields["pin"] || text("wrong"),
  },
  account: ({ text }) => ({
    title: text("title"),
    blocks: [
      { kind: "form", route: "set", fields: { pin: { label: text("title"), ...field } }, submit: text("set") },
      { kind: "form", route: "remove", submit: text("remove") },
    ],
  }),
  routes: [setRoute(setPin), removeRoute],
  events: { set: "A user set a PIN." },
  revoke: ({ records: { pin } }, { id }) => pin.remove({ userId: id }),
  export: async (context, { id }) => ({ hasPin: await has(context, id) }),
  server: (context) => ({ has: (userId) => has(context, userId) }),
}

/** How a module with a PIN differs from a good one. */
export interface Change {
  parts?(good: PinParts): Partial<PinParts>
  readonly module?: Partial<Pick<Module, "session" | "members">>
  readonly records?: RecordTypes
}

/** A module with a PIN as a factor. `change` is called for each process. */
export function pin(change: () => Change = () => ({})): ModuleSubject {
  return {
    adapter: memoryAdapter,
    create() {
      const { parts, module, records: others } = change()
      const loaded = { ...good, ...parts?.(good) }
      const all: Records = { ...records, ...others }
      return defineModule<"pin", Server, Records>({
        id: "pin",
        records: all,
        members: ["has"],
        ...(module as object),
        load: async () => loaded,
      })
    },
    async enroll({ browser }) {
      const value = `pin${crypto.randomUUID()}`
      await browser.get("/auth/account")
      await browser.submitForm("pin/set", { pin: value })
      if (!browser.response.ok) throw new Error(`The PIN wasn't set: ${browser.location}`)
      return { answer: () => ({ pin: value }) }
    },
  }
}
