import { type Proven, proven } from "@latchkey/core/module"
import type { AdapterUser } from "@latchkey/core/adapters"
import type { Background, Context, Site } from "./site.js"
import { typed, unlessBusy } from "./site.js"
import { nobody, secret } from "./links.js"

/** NIST SP 800-63B-4 §3.2.2. The user needs a reset then, or a browser that is known. */
const maxFailures = 100

/** Who signs in with an email and a password. Every refusal looks the same, and takes as long. */
export async function proveSignIn(site: Site, context: Context): Promise<AdapterUser | Proven | null> {
  return unlessBusy<AdapterUser | Proven | null>(
    context,
    () => signIn(site, context),
    (page) => proven({ show: page }),
  )
}

async function signIn(site: Site, context: Context): Promise<AdapterUser | null> {
  const { users, records } = context
  const email = users.typedEmail(typed(context, "email"))
  const user = email === null ? null : await users.byEmail(email)
  // The same reads for a user who doesn't exist.
  const id = user?.id ?? nobody
  const [stored, failure] = [await records.password.get({ userId: id }), await records.failure.get({ subject: id })]
  const isKnown = await isKnownBrowser(context, id)
  const isOpen = isKnown || (failure?.count ?? 0) < maxFailures
  const isRight = await isPassword(site, context, stored)
  if (user === null || !isRight || !isOpen || !user.emailVerified) {
    if (!isKnown) await countFailure(context, id, user !== null)
    return null
  }
  if (failure !== null) await records.failure.remove({ subject: id })
  return user
}

type Stored = Awaited<ReturnType<Background["records"]["password"]["get"]>>

async function isPassword({ hasher }: Site, context: Context, stored: Stored): Promise<boolean> {
  const given = typed(context, "password")
  if (stored === null) {
    await hasher.waste(given)
    return false
  }
  const { isRight, isOutdated } = await hasher.verify(given, stored.hash)
  // Another sign-in may have made it anew already.
  if (isRight && isOutdated) await context.records.password.swap(stored, { hash: await hasher.hash(given) })
  return isRight
}

/** Counts for a user who doesn't exist, too, so that it takes as long. */
async function countFailure({ records }: Context, subject: string, exists: boolean): Promise<void> {
  for (let left = 10; left > 0; left--) {
    const before = await records.failure.get({ subject })
    const count = Math.min(maxFailures, (before?.count ?? 0) + 1)
    const isStored =
      before === null
        ? await records.failure.insert({ subject, count, ...(exists && { userId: subject }) })
        : await records.failure.swap(before, { count })
    if (isStored) return
  }
}

/** Seconds. */
const knownFor = 365 * 86_400

const knownCookie = "known"

/** Wrong passwords of others don't keep the owner out of a browser in which they signed in before. */
export async function rememberBrowser(context: Context, userId: string): Promise<void> {
  const name = await context.seal({ known: userId, name: secret(context) }, knownFor)
  context.setCookie(knownCookie, name, knownFor)
}

async function isKnownBrowser({ cookie, open }: Context, userId: string): Promise<boolean> {
  return (await open(cookie(knownCookie) ?? ""))?.["known"] === userId
}
