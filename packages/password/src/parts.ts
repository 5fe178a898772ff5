import { type ModuleParts, route } from "@latchkey/core/module"
import { findings } from "./doctor.js"
import { createHasher, formatOf } from "./hashing/hasher.js"
import { noBcrypt } from "./hashing/imported.js"
import type { ImportOptions, PasswordOptions, PasswordServer } from "./options.js"
import { problemsOf } from "./problems.js"
import { createPolicy } from "./policy/policy.js"
import type { records } from "./records.js"
import { proveChange, section, startSet } from "./flows/change.js"
import { finishPage, proveLink } from "./flows/finish.js"
import { changePage, forgotPage, signUpPage } from "./flows/forms.js"
import { guardSignUp, invite, uninvite } from "./flows/invitations.js"
import { endLinks, openLink, sendLink } from "./flows/links.js"
import { settle } from "./flows/settle.js"
import { proveSignIn } from "./flows/sign-in.js"
import { forgot, signUp } from "./flows/sign-up.js"
import type { Background, Context, Site } from "./flows/site.js"
import { texts } from "./texts/texts.js"

export function partsOf(options: PasswordOptions): ModuleParts<typeof records, PasswordServer> {
  const site = siteOf(options)
  const anyone = { session: "none" } as const
  return {
    prove: (context, { fields }) => {
      if (fields["step"] === "finish") return proveLink(site, context)
      return fields["step"] === "change" ? proveChange(site, context) : proveSignIn(site, context)
    },
    guard: (context, attempt) => guardSignUp(site, context, attempt),
    after: settle,
    account: section,
    routes: [
      route("GET", "sign-up", anyone, (context: Context) => signUpPage(site, context)),
      route("POST", "sign-up", { ...anyone, limit: "sign-up" }, (context: Context) => signUp(site, context)),
      route("GET", "forgot", anyone, (context: Context) => forgotPage(context)),
      route("POST", "forgot", { ...anyone, limit: "forgot" }, (context: Context) => forgot(site, context)),
      route("GET", "link", anyone, openLink),
      route("GET", "finish", anyone, (context: Context) => finishPage(site, context)),
      route("GET", "change", { session: "recent" }, (context: Context) => changePage(site, context)),
      route("POST", "set", { session: "recent", limit: "forgot" }, startSet),
    ],
    limits: {
      "sign-up": { points: 20, seconds: 900 },
      forgot: { points: 20, seconds: 900 },
      change: { points: 10, seconds: 900 },
    },
    events: {
      "sign-up-requested": "A visitor signed up. If the email has a user, it's about that user.",
      "reset-requested": "A visitor asked for a new password.",
      invited: "The application invited an email.",
      changed: "A user has a new password. `step` of the data is sign-up, reset or change.",
      imported: "The hash of another system was stored for a user.",
      "breach-check-failed": "The service that knows breached passwords didn't answer, so the local list decided.",
    },
    texts,
    script: async () => import("./script.js"),
    revoke: (context, { id }, reason) => revoke(context, id, reason),
    async export({ records }, { id }) {
      const stored = await records.password.get({ userId: id })
      return stored === null ? null : { changedAt: stored.changedAt.toISOString() }
    },
    server: (context) => ({
      has: async (userId) => (await context.records.password.get({ userId })) !== null,
      startReset: (userId) => startReset(context, userId),
      invite: (email) => invite(options, context, email),
      uninvite: (email) => uninvite(context, email),
      usernameOf: async (userId) => (await context.records.username.find({ userId })).items[0]?.username ?? null,
      async importHash(userId, hash, importing) {
        usableFormat(hash, options)
        return importHash(context, { userId, hash, ...importing })
      },
      formatOf: async (hash) => usableFormat(hash, options),
    }),
    check: () => problemsOf(options),
    doctor: (context) => findings(site, context),
  }
}

/** One for all configurations that a module is in, because the bound on hashes is for the process. */
const sites = new WeakMap<PasswordOptions, Site>()

function siteOf(options: PasswordOptions): Site {
  const site = sites.get(options) ?? newSite(options)
  sites.set(options, site)
  return site
}

function newSite({
  minLength,
  secondFactor,
  breached,
  algorithm,
  argon2,
  bcrypt,
  verify,
  signUp = "open",
  fields = {},
  usernames = false,
  pepper = [],
  hashing = {},
}: PasswordOptions): Site {
  const { parallel = 4, waiting = 100 } = hashing
  const least = minLength ?? (secondFactor === undefined ? 15 : 8)
  return {
    minLength: least,
    signUp,
    fields,
    usernames,
    policy: createPolicy({ minLength: least, breached }),
    verify,
    hasher: createHasher({ algorithm, argon2, bcrypt, peppers: pepper, parallel, waiting }),
  }
}

/** The reason for which the password is taken away. A user signs in with it, so otherwise it stays. */
const breachedPassword = "breached-password"

async function revoke(context: Background, userId: string, reason: string | undefined): Promise<void> {
  const { records, users } = context
  const user = await users.byId(userId)
  if (user?.email) await endLinks(context, user.email)
  if (reason === breachedPassword) await records.password.remove({ userId })
}

/** @throws TypeError if no sign-in could verify the hash */
function usableFormat(hash: string, { bcrypt }: PasswordOptions): string {
  const format = formatOf(hash)
  if (format === undefined)
    throw new TypeError("The hash has an unknown format. Import it in one of those in docs/password.md")
  if (format === "bcrypt" && bcrypt === undefined) throw noBcrypt()
  return format
}

interface Imported extends ImportOptions {
  readonly userId: string
  readonly hash: string
}

/** The user has proven the mailbox, or the password is dropped when a user does. */
async function importHash(context: Background, { userId, hash, replace = false }: Imported): Promise<boolean> {
  const { users, records, now } = context
  const user = await users.byId(userId)
  if (user === null) return false
  const made = { hash, changedAt: new Date(now()), isProven: Boolean(user.emailVerified) }
  const before = await records.password.get({ userId })
  if (before !== null && !replace) return false
  const isStored =
    before === null
      ? await records.password.insert({ userId, epoch: 1, ...made })
      : await records.password.swap(before, { epoch: before.epoch + 1, ...made })
  if (isStored) await context.emit("imported", { id: userId })
  return isStored
}

async function startReset(context: Background, userId: string): Promise<boolean> {
  const user = await context.users.byId(userId)
  if (!user?.email) return false
  const site = await context.atSite()
  await sendLink(site, { email: user.email, user, letter: "reset" })
  await context.emit("reset-requested", { id: userId })
  return true
}
