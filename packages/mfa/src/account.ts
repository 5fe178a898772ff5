import type { Block, ModuleUser, Section } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { devicesOf } from "./devices.js"
import { codeMethods, factorOf, methodsIn } from "./factor.js"
import { dateIn, masked } from "./notices.js"
import type { CodeMethod, Method, MfaOptions } from "./options.js"
import { freePasskeys } from "./passkeys.js"
import type { FactorRecord } from "./records.js"

/** What the account page shows of the second factor. */
export async function section(options: MfaOptions, context: Context, user: ModuleUser): Promise<Section> {
  const { id: userId } = user
  const factor = await factorOf(context, userId)
  const state = factor === null ? await offBlocks(context, userId) : await onBlocks(context, userId, factor)
  const missing = possible(options, context, user).filter((method) => factor?.[method] === undefined)
  const free = await freePasskeys(options, context, { userId, factor })
  const open: readonly Method[] = free.length > 0 ? [...missing, "passkey"] : missing
  const later =
    factor === null ? [] : [...(await resetBlocks(context, userId)), ...(await deviceBlocks(context, userId))]
  return {
    title: context.text("title"),
    blocks: [...state, ...open.map((method) => setupForm(context, method)), ...later],
  }
}

/** What this user can set up, besides passkeys. */
export function possible(options: MfaOptions, { canMail }: Context, { email }: ModuleUser): readonly CodeMethod[] {
  const can: Readonly<Record<CodeMethod, boolean>> = {
    app: true,
    email: options.email !== false && canMail && email !== undefined,
    sms: options.sms !== undefined,
  }
  return codeMethods.filter((method) => can[method])
}

/** The texts about a method. */
const keys = {
  app: { name: "app", setUp: "setUpApp", remove: "removeApp" },
  email: { name: "email", setUp: "setUpEmail", remove: "removeEmail" },
  sms: { name: "sms", setUp: "setUpSms", remove: "removeSms" },
  passkey: { name: "passkey", setUp: "setUpPasskey", remove: "removePasskey" },
} as const

async function offBlocks(context: Context, userId: string): Promise<readonly Block[]> {
  const { records, text } = context
  const off = { kind: "text", text: text("off") } as const
  const grace = await records.grace.get({ userId })
  if (grace === null) return [off]
  return [off, { kind: "text", text: text("must", { date: dateIn(context, grace.until) }) }]
}

async function onBlocks(context: Context, userId: string, factor: FactorRecord): Promise<readonly Block[]> {
  const { text } = context
  const about = (method: Method) => (method === "email" || method === "sms" ? ` (${masked(factor[method] ?? "")})` : "")
  const methods = methodsIn(factor)
  const names = methods.map((method) => text(keys[method].name) + about(method))
  return [
    { kind: "text", text: text("on", { methods: names.join(", ") }) },
    { kind: "text", text: text("left", { left: String(factor.recovery.length) }) },
    { kind: "form", route: "regenerate", submit: text("regenerate"), secondary: true },
    ...methods.filter((method) => method !== "passkey").map((method) => removeForm(context, { method })),
    ...(await passkeyBlocks(context, userId, factor)),
  ]
}

function removeForm({ text }: Context, values: { readonly method: Method; readonly id?: string }): Block {
  return { kind: "form", route: "remove", values, submit: text(keys[values.method].remove), secondary: true }
}

/** One that doesn't work anymore is listed, too: the user wonders what the second step is. */
async function passkeyBlocks(
  context: Context,
  userId: string,
  { passkey = [] }: FactorRecord,
): Promise<readonly Block[]> {
  const own = passkey.length === 0 ? [] : ((await context.passkeys?.of(userId)) ?? [])
  return passkey.flatMap((id): readonly Block[] => {
    const name = own.find((each) => each.id === id)?.name
    const about = name === undefined ? [] : [{ kind: "text", text: context.text("passkeyNamed", { name }) } as const]
    return [...about, removeForm(context, { method: "passkey", id })]
  })
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
