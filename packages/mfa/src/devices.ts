import { sha256 } from "@latchkey/core/module"
import type { Background, Context } from "./context.js"
import { newName } from "./codes.js"

/** Seconds. A use doesn't extend it. */
const trustLasts = 30 * 86_400

const cookie = "device"

/** No second factor is asked in this browser for 30 days. */
export async function trustDevice(context: Context, userId: string): Promise<void> {
  const { records, random, now, request, setCookie } = context
  const factor = await records.factor.get({ userId })
  if (factor === null) return
  const name = newName(random)
  const since = new Date(now())
  const device = { hash: await sha256(name), userId, epoch: factor.epoch, name: nameOf(request), since }
  await records.device.insert(device, { expiresIn: trustLasts })
  setCookie(cookie, name, trustLasts)
  await context.emit("device-trusted", { id: userId })
}

/** Whether this browser is one that the user trusts, since the factor is what it is. */
export async function isTrusted({ records, cookie: read }: Context, userId: string, epoch: string): Promise<boolean> {
  const name = read(cookie)
  if (name === undefined) return false
  const device = await records.device.get({ hash: await sha256(name) })
  return device?.userId === userId && device.epoch === epoch
}

interface Device {
  /** Names it in a form. It isn't the value of the cookie. */
  readonly id: string
  readonly name: string
  readonly since: Date
}

/** The devices that a user trusts, the latest first. */
export async function devicesOf({ records }: Background, userId: string): Promise<readonly Device[]> {
  const [factor, { items }] = await Promise.all([records.factor.get({ userId }), records.device.find({ userId })])
  const trusted = items.filter(({ epoch }) => epoch === factor?.epoch)
  const latest = trusted.toSorted((one, other) => other.since.getTime() - one.since.getTime())
  return latest.map(({ hash: id, name, since }) => ({ id, name, since }))
}

/** `false`: the user has no such device. */
export async function forgetDevice({ records: { device } }: Background, userId: string, id: string): Promise<boolean> {
  const found = await device.get({ hash: id })
  if (found?.userId !== userId) return false
  await device.remove({ hash: id })
  return true
}

export async function forgetDevices({ records: { device } }: Background, userId: string): Promise<void> {
  const { items } = await device.find({ userId })
  for (const { hash } of items) await device.remove({ hash })
}

/** Such as `Firefox, Linux`. */
function nameOf({ device: { browser, system } }: Context["request"]): string {
  return [browser, system].filter((part) => part !== undefined).join(", ") || "?"
}
