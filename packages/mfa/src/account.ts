import type { Block, ModuleUser, Section } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { devicesOf } from "./devices.js"
import { allMethods, factorOf, methodsIn } from "./factor.js"
import { dateIn, masked } from "./notices.js"
import type { Method, MfaOptions } from "./options.js"
import type { FactorRecord } from "./records.js"

/** What the account page shows of the second factor. */
export async function section(options: MfaOptions, context: Context, user: ModuleUser): Promise<Section> {
  const factor = await factorOf(context, user.id)
  const state = factor === null ? await offBlocks(context, user.id) : onBlocks(context, factor)
  const open = possible(options, context, user).filter((method) => factor?.[method] === undefined)
  const later =
    factor === null ? [] : [...(await resetBlocks(context, user.id)), ...(await deviceBlocks(context, user.id))]
  return {
    title: context.text("title"),
    blocks: [...state, ...open.map((method) => setupForm(context, method)), ...later],
  }
}

/** What this user can set up. */
export function possible(options: MfaOptions, { canMail }: Context, { email }: ModuleUser): readonly Method[] {
  const can: Readonly<Record<Method, boolean>> = {
    app: true,
    email: options.email !== false && canMail && email !== undefined,
    sms: options.sms !== undefined,
  }
  return allMethods.filter((method) => can[method])
}

/** The texts about a method. */
const keys = {
  app: { name: "app", setUp: "setUpApp", remove: "removeApp" },
  email: { name: "email", setUp: "setUpEmail", remove: "removeEmail" },
  sms: { name: "sms", setUp: "setUpSms", remove: "removeSms" },
} as const

async function offBlocks(context: Context, userId: string): Promise<readonly Block[]> {
  const { records, text } = context
  const off = { kind: "text", text: text("off") } as const
  const grace = await records.grace.get({ userId })
  if (grace === null) return [off]
  return [off, { kind: "text", text: text("must", { date: dateIn(context, grace.until) }) }]
}

function onBlocks({ text }: Context, factor: FactorRecord): readonly Block[] {
  const about = (method: Method) => (method === "app" ? "" : ` (${masked(factor[method] ?? "")})`)
  const methods = methodsIn(factor)
  const names = methods.map((method) => text(keys[method].name) + about(method))
  return [
    { kind: "text", text: text("on", { methods: names.join(", ") }) },
    { kind: "text", text: text("left", { left: String(factor.recovery.length) }) },
    { kind: "form", route: "regenerate", submit: text("regenerate"), secondary: true },
    ...methods.map(
      (method) =>
        ({
          kind: "form",
          route: "remove",
          values: { method },
          submit: text(keys[method].remove),
          secondary: true,
        }) satisfies Block,
    ),
  ]
}

function setupForm({ text }: Context, method: Method): Block {
  const phone = { label: text("phone"), type: "tel", autocomplete: "tel", required: true }
  const fields = method === "sms" ? { fields: { phone } } : {}
  return {
    kind: "form",
    route: "enroll",
    values: { method },
    ...fields,
    submit: text(keys[method].setUp),
    secondary: true,
  }
}

async function resetBlocks(context: Context, userId: string): Promise<readonly Block[]> {
  const { records, text } = context
  const reset = await records.reset.get({ userId })
  if (reset === null) return []
  return [
    { kind: "text", text: text("reset", { date: dateIn(context, reset.readyAt) }) },
    { kind: "form", route: "cancel-reset", submit: text("cancelReset") },
  ]
}

async function deviceBlocks(context: Context, userId: string): Promise<readonly Block[]> {
  const { text } = context
  const devices = await devicesOf(context, userId)
  return devices.flatMap(({ id, name, since }) => [
    { kind: "text", text: text("device", { name, date: dateIn(context, since) }) },
    { kind: "form", route: "forget", values: { id }, submit: text("forget"), secondary: true },
  ])
}
