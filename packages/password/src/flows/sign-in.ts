import { type Proven, proven } from "@latchkey/core/module"
import type { AdapterUser } from "@latchkey/core/adapters"
import { isHashable } from "../policy/policy.js"
import { digest, noUser, secret } from "./links.js"
import { userWithName } from "./usernames.js"
import { type Background, type Context, idOf, type Site, typed, unlessBusy } from "./site.js"

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
  const { records } = context
  const { email, user } = await claimedUser(site, context)
  // The same reads for a user who doesn't exist.
  const subject = idOf(user ?? { id: noUser })
  const stored = await records.password.get({ userId: subject })
  const counted = (await knownBrowser(context, subject)) ?? subject
  const failure = await records.failure.get({ subject: counted })
  const isRight = await isOwn(site, context, { email, user, stored })
  const isOpen = failure === null || failure.count < maxFailures
  if (!isRight || !isOpen || !user?.emailVerified) {
    await countFailure(context, counted, user)
    return null
  }
  if (failure !== null) await records.failure.remove({ subject: counted })
  if (counted !== subject) await records.failure.remove({ subject })
  return user
}

async function claimedUser({ usernames }: Site, context: Context): Promise<Omit<Claim, "stored">> {
  const { users, request } = context
  const given = typed(context, "email")
  if (usernames && !given.includes("@")) {
    const user = await userWithName(context, given)
    return { email: user?.email ?? "", user }
  }
  const email = users.typedEmail(request.fields["email"])
  return email === null ? { email: "", user: null } : { email, user: await users.byEmail(email) }
}

interface Claim {
  /** Empty: it isn't one. */
  readonly email: string
  readonly user: AdapterUser | null
  readonly stored: Stored
}

function isOwn(site: Site, context: Context, { email, user, stored }: Claim): Promise<boolean> {
  return stored === null ? wasPassword(site, context, { email, user }) : isPassword(site, context, stored)
}

type Stored = Awaited<ReturnType<Background["records"]["password"]["get"]>>

async function isPassword({ hasher }: Site, context: Context, stored: NonNullable<Stored>): Promise<boolean> {
  const given = typed(context, "password")
  const { isRight, isOutdated } = await hasher.verify(given, stored.hash)
  // Another sign-in may have made it anew already.
  if (isRight && isOutdated) await context.records.password.swap(stored, { hash: await hasher.hash(given) })
  return isRight
}

/** A user without a password here may have one in the former system, which is asked for every email, so that the time tells nothing. */
async function wasPassword(
  { hasher, verify }: Site,
  context: Context,
  { email, user }: Omit<Claim, "stored">,
): Promise<boolean> {
  const password = typed(context, "password")
  if (verify === undefined || !isHashable(password)) {
    await hasher.waste(password)
    return false
  }
  const [isRight, hash] = await Promise.all([verify({ email, password }), hasher.hash(password)])
  if (!isRight || user === null || !user.emailVerified) return false
  const { records, now } = context
  const moved = { userId: idOf(user), hash, epoch: 1, changedAt: new Date(now()), isProven: true }
  // Another sign-in may have moved it already, with the same password.
  await records.password.insert(moved)
  return true
}

/** Counts for a user who doesn't exist, too, so that it takes as long. */
async function countFailure({ records }: Context, subject: string, user: AdapterUser | null): Promise<void> {
  for (let left = 10; left > 0; left--) {
    const before = await records.failure.get({ subject })
    const count = Math.min(maxFailures, (before?.count ?? 0) + 1)
    const isStored =
      before === null
        ? await records.failure.insert({ subject, count, ...(user !== null && { userId: idOf(user) }) })
        : await records.failure.swap(before, { count })
    if (isStored) return
  }
}

/** Seconds. */
const knownFor = 365 * 86_400

const knownCookie = "known"

/** Wrong passwords of others don't keep the owner out of a browser in which they signed in before. It has a count of its own. */
export async function rememberBrowser(context: Context, userId: string): Promise<void> {
  const name = await context.seal({ known: userId, name: secret(context) }, knownFor)
  context.setCookie(knownCookie, name, knownFor)
}

/** What its failures are counted by. `undefined`: the user didn't sign in with a password in it. */
async function knownBrowser({ cookie, open }: Context, userId: string): Promise<string | undefined> {
  const { known, name } = (await open(cookie(knownCookie) ?? "")) ?? {}
  return known === userId && typeof name === "string" ? `known ${digest(name)}` : undefined
}
