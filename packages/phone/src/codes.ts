import { equal, sha256, toHex } from "@latchkey/core/module"
import type { Background, Context } from "./context.js"
import type { CodeRecord } from "./records.js"

/** Seconds (NIST SP 800-63B-4 §3.1.3.1, OWASP ASVS 6.5.5). */
export const lasts = 600

const maxTries = 5

const flow = "flow"

export interface Wanted {
  readonly number: string
  /** The signed-in user who adds it. */
  readonly userId: string | undefined
  readonly replaces: readonly string[]
}

/** Makes a code for this browser, in place of the one before. */
export async function newCode(context: Context, { number, userId, replaces }: Wanted): Promise<string> {
  const { records, random, setCookie } = context
  await forgetCode(context)
  const [name, code] = [toHex(random(32)), newDigits(random)]
  const id = await sha256(name)
  const about = await context.seal({ id, number, replaces }, lasts)
  const own = { id, about, to: await nameOf(number), hash: await codeHash(name, code) }
  await records.code.insert({ ...own, tries: 0, userId }, { expiresIn: lasts })
  setCookie(flow, name, lasts)
  return code
}

/** The code that was sent from this browser, if it still works. */
export async function codeIn(context: Context): Promise<Wanted | null> {
  const name = context.cookie(flow)
  return name === undefined ? null : wantedIn(context, await context.records.code.get({ id: await sha256(name) }))
}

/** `null`: there's no code, or `AUTH_SECRET` was replaced without the former one. */
async function wantedIn({ open }: Context, stored: CodeRecord | null): Promise<Wanted | null> {
  const about = stored === null ? null : await open(stored.about)
  if (stored === null || about === null || about["id"] !== stored.id) return null
  const { number, replaces } = about
  if (typeof number !== "string" || !Array.isArray(replaces)) return null
  return { number, userId: stored.userId, replaces: replaces.map(String) }
}

export async function forgetCode({ records, cookie, setCookie }: Context): Promise<void> {
  const name = cookie(flow)
  if (name === undefined) return
  await records.code.remove({ id: await sha256(name) })
  setCookie(flow, null)
}

/** `gone`: there's none, or it was used, or too many answers were wrong. */
export type Answer = Wanted | "wrong" | "gone"

/** Each answer is counted before it's looked at. Of parallel right ones, one wins. */
export async function useCode(context: Context, typed: string): Promise<Answer> {
  const { records, cookie } = context
  const name = cookie(flow)
  if (name === undefined) return "gone"
  const id = await sha256(name)
  if (!(await countTry(records.code, id))) return "gone"
  const stored = await records.code.get({ id })
  const hash = await codeHash(name, typed.normalize("NFKC").replace(/\D/g, ""))
  if (stored === null) return "gone"
  if (!equal(stored.hash, hash)) return "wrong"
  return (await wantedIn(context, await records.code.take({ id }))) ?? "gone"
}

/** Another answer may be counted at the same time, so it's read again until it was written. */
async function countTry(codes: Background["records"]["code"], id: string): Promise<boolean> {
  for (;;) {
    const before = await codes.get({ id })
    if (before === null || before.tries >= maxTries) return false
    if (await codes.swap(before, { tries: before.tries + 1 })) return true
  }
}

/** Ends what was sent to a number, or for a user. */
export async function endCodes(
  { records }: Background,
  by: { readonly userId: string } | { readonly to: string },
): Promise<void> {
  // A page may be empty, and another one follow.
  let after: string | undefined
  do {
    const page = await records.code.find(by, after === undefined ? {} : { after })
    for (const { id } of page.items) await records.code.remove({ id })
    after = page.next
  } while (after !== undefined)
}

/** By which the codes of a number are found. */
export async function nameOf(number: string): Promise<string> {
  return sha256(`number ${number}`)
}

/** Six digits are few, so the hash is useless without the name that only the browser has. */
async function codeHash(name: string, code: string): Promise<string> {
  return sha256(`code ${name} ${code}`)
}

/** Six digits, each as likely as the others. */
function newDigits(random: Background["random"]): string {
  for (;;) {
    const [a = 0, b = 0, c = 0] = random(3)
    const value = (a << 16) | (b << 8) | c
    // The largest multiple of a million in 24 bits.
    if (value < 16_000_000) return String(value % 1_000_000).padStart(6, "0")
  }
}
