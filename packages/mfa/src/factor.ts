import { sha256, equal } from "@latchkey/core/module"
import type { Background } from "./context.js"
import { newDigits, newName, newRecoveryCodes, newSeed, normal, stepOf } from "./codes.js"
import { forgetDevices } from "./devices.js"
import { cancelReset } from "./reset.js"
import type { CodeMethod, Method } from "./options.js"
import type { FactorRecord, SetupRecord } from "./records.js"

export const codeMethods: readonly CodeMethod[] = ["app", "email", "sms"]

/** In the order in which they're shown. */
export const allMethods: readonly Method[] = [...codeMethods, "passkey"]

/** `null`: the user has no second factor. */
export async function factorOf({ records: { factor } }: Background, userId: string): Promise<FactorRecord | null> {
  return factor.get({ userId })
}

export function methodsIn(factor: FactorRecord | null): readonly Method[] {
  return allMethods.filter((method) => factor?.[method] !== undefined)
}

/** Seconds. */
const setupLasts = 600

/** Begins to set a method up, and replaces what was begun before in the same place. @param secret where codes are sent */
export async function beginSetup(
  { records: { setup }, random }: Background,
  {
    id,
    userId,
    method,
    to,
  }: { readonly id: string; readonly userId: string; readonly method: CodeMethod; readonly to?: string },
): Promise<{ readonly setup: SetupRecord; readonly code: string }> {
  const code = newDigits(random)
  const secret = to ?? newSeed(random)
  const begun = { id, userId, method, secret, isDone: false, ...(to !== undefined && { code: await sha256(code) }) }
  await setup.remove({ id })
  await setup.insert(begun, { expiresIn: setupLasts })
  return { setup: begun, code }
}

/** What a user began to set up here. Another user's is none. */
export async function setupOf(
  { records: { setup } }: Background,
  id: string,
  userId: string,
): Promise<SetupRecord | null> {
  const begun = await setup.get({ id })
  return begun?.userId === userId ? begun : null
}

/** The method is set up. With the first one, the user gets recovery codes. */
export interface Enrolled {
  readonly recoveryCodes: readonly string[] | undefined
}

/**
 * Turns a method on, if the code is right. The code counts as used. `undefined`: it's wrong.
 *
 * @param keeps the record of the setup stays, until the recovery codes are saved
 */
export async function enroll(
  context: Background,
  setup: SetupRecord,
  { typed, keeps = false }: { readonly typed: string; readonly keeps?: boolean },
): Promise<Enrolled | undefined> {
  const { writes } = context.records.setup
  const { id, userId, secret } = setup
  const step = await provenStep(setup, normal(typed), context.now())
  if (step === undefined) return undefined
  const method = { ...only(setup.method, secret), ...(setup.method === "app" && { lastStep: step }) }
  return turnOn(context, userId, () => method, [keeps ? writes.swap(setup, { isDone: true }) : writes.remove({ id })])
}

/** Makes a passkey that the user has just used their second step. `undefined`: the factor changed meanwhile. */
export async function enrollPasskey(context: Background, userId: string, id: string): Promise<Enrolled | undefined> {
  return turnOn(context, userId, (before) => ({ passkey: [...(before?.passkey ?? []), id] }))
}

async function turnOn(
  context: Background,
  userId: string,
  method: (before: FactorRecord | null) => Partial<FactorRecord>,
  more: Parameters<Background["batch"]>[1] = [],
): Promise<Enrolled | undefined> {
  const { records, random, now } = context
  await forgetDevices(context, userId)
  // It was for what the user had before.
  await cancelReset(context, userId)
  const before = await records.factor.get({ userId })
  const codes = before === null ? newRecoveryCodes(random) : undefined
  const changes = { ...method(before), epoch: newName(random), ...(codes && { recovery: await hashesOf(codes) }) }
  const { insert, swap } = records.factor.writes
  const first = { userId, since: new Date(now()), lastStep: 0, recovery: [] }
  const write = before === null ? insert({ ...first, ...changes }) : swap(before, changes)
  return (await context.batch(userId, [write, ...more])) ? { recoveryCodes: codes } : undefined
}

/**
 * Stores the key of an app that the user has set up elsewhere. It has no recovery codes.
 *
 * @throws TypeError if it isn't Base32
 */
export async function importApp(context: Background, userId: string, key: string): Promise<boolean> {
  const { records, random, users, now, emit } = context
  const app = key.toUpperCase().replaceAll(/[\s=-]/g, "")
  if (!/^[A-Z2-7]{16,}$/.test(app)) throw new TypeError("The key of the app isn't Base32 of at least 80 bits")
  if ((await users.byId(userId)) === null) return false
  const factor = { userId, app, epoch: newName(random), since: new Date(now()), lastStep: 0, recovery: [] }
  // In a transaction of PostgreSQL, a refused row would end it.
  if ((await factorOf(context, userId)) !== null || !(await records.factor.insert(factor))) return false
  await emit("imported", { id: userId })
  return true
}

function only(method: string, secret: string | undefined): Partial<FactorRecord> {
  const name = codeMethods.find((each) => each === method)
  return name === undefined ? {} : { [name]: secret }
}

/** The step of the code of an app, or 0 for a code that was sent. `undefined`: the code is wrong. */
async function provenStep({ secret, code }: SetupRecord, typed: string, now: number): Promise<number | undefined> {
  if (code === undefined) return stepOf(secret, typed, now)
  return equal(code, await sha256(typed)) ? 0 : undefined
}

async function hashesOf(codes: readonly string[]): Promise<readonly string[]> {
  return Promise.all(codes.map(async (code) => sha256(normal(code))))
}

interface Removed {
  readonly userId: string
  readonly method: Method
  /** Which passkey. */
  readonly id: string
}

/** Turns a method off. Without any other one, nothing is left of the factor. `false`: it was off, or changed meanwhile. */
export async function removeMethod(context: Background, { userId, method, id }: Removed): Promise<boolean> {
  const { factor } = context.records
  const before = await factor.get({ userId })
  const changes = before === null ? undefined : without(before, method, id)
  if (before === null || changes === undefined) return false
  await forgetDevices(context, userId)
  const isLast = methodsIn({ ...before, ...changes }).length === 0
  const { writes } = factor
  const write = isLast ? writes.remove({ userId }) : writes.swap(before, { ...changes, epoch: newName(context.random) })
  return context.batch(userId, [write])
}

function without(before: FactorRecord, method: Method, id: string): Partial<FactorRecord> | undefined {
  if (method !== "passkey") return before[method] === undefined ? undefined : only(method, undefined)
  const left = before.passkey?.filter((each) => each !== id) ?? []
  if (left.length === (before.passkey?.length ?? 0)) return undefined
  return { passkey: left.length === 0 ? undefined : left }
}

/** New recovery codes, instead of those that are left. `undefined`: the user has no factor, or it changed meanwhile. */
export async function regenerate(context: Background, userId: string): Promise<readonly string[] | undefined> {
  const { factor } = context.records
  const before = await factor.get({ userId })
  if (before === null) return undefined
  await forgetDevices(context, userId)
  const codes = newRecoveryCodes(context.random)
  const changes = { recovery: await hashesOf(codes), epoch: newName(context.random) }
  return (await factor.swap(before, changes)) ? codes : undefined
}

/** Seconds (OWASP ASVS 6.5.5). */
const codeLasts = 600

/** Makes a code for one sign-in or browser, in place of the one before. */
export async function newCode({ records: { sent }, random }: Background, id: string, userId: string): Promise<string> {
  const code = newDigits(random)
  await sent.remove({ id })
  await sent.insert({ id, userId, hash: await sha256(code) }, { expiresIn: codeLasts })
  return code
}

/** What a right answer was. */
export type Used =
  | { readonly kind: "app" }
  | { readonly kind: "sent" }
  | { readonly kind: "recovery"; readonly left: number }
  | { readonly kind: "passkey"; readonly amr: string }

interface Answer {
  readonly userId: string
  readonly typed: string
  /** The sign-in or browser that a code was sent for. */
  readonly id: string
}

/** Uses an answer up. Of parallel requests with one code, one wins. `undefined`: it's wrong, or was used. */
export async function useAnswer(context: Background, answer: Answer): Promise<Used | undefined> {
  const typed = normal(answer.typed)
  if (!/^\d{6}$/.test(typed)) return useRecoveryCode(context, answer.userId, await sha256(typed))
  return (await useAppCode(context, answer.userId, typed)) ?? (await useSentCode(context, answer, typed))
}

/** Another code may be used at the same time, so it's read again until it was written. */
async function useAppCode(
  { records: { factor }, now }: Background,
  userId: string,
  code: string,
): Promise<Used | undefined> {
  for (;;) {
    const stored = await factor.get({ userId })
    if (stored?.app === undefined) return undefined
    const step = await stepOf(stored.app, code, now())
    if (step === undefined || step <= stored.lastStep) return undefined
    if (await factor.swap(stored, { lastStep: step })) return { kind: "app" }
  }
}

async function useSentCode(
  { records: { sent } }: Background,
  { id, userId }: Answer,
  code: string,
): Promise<Used | undefined> {
  const stored = await sent.get({ id })
  const hash = await sha256(code)
  if (stored?.userId !== userId || !equal(stored.hash, hash)) return undefined
  // Another one may have been sent meanwhile.
  return (await sent.take({ id }))?.hash === hash ? { kind: "sent" } : undefined
}

async function useRecoveryCode(
  { records: { factor } }: Background,
  userId: string,
  hash: string,
): Promise<Used | undefined> {
  for (;;) {
    const stored = await factor.get({ userId })
    const recovery = stored?.recovery.filter((each) => each !== hash) ?? []
    if (stored === null || recovery.length === stored.recovery.length) return undefined
    if (await factor.swap(stored, { recovery })) return { kind: "recovery", left: recovery.length }
  }
}
