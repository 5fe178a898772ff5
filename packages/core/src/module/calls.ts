import { AuthError, InvalidConfig } from "../errors.js"
import type { ModuleSection } from "../model/account.js"
import type { AuthContext } from "../model/auth.js"
import type { CredentialKind } from "../model/credential-kind.js"
import type { CredentialsProvider } from "../model/credentials-provider.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Params, SafeUrl } from "../model/http.js"
import type { Proof } from "../model/signin.js"
import type { User } from "../model/user.js"
import type { UserExport } from "../model/user-export.js"
import type { Leave, ModuleUser, SignOutFacts } from "../module-kit/phases.js"
import { type Outcome, outcomeOf } from "../module-kit/proven.js"
import { foundSession } from "../session/current.js"
import { type OwnAccountProof, isAccountName } from "../signin/own-account-steps.js"
import { jarOf, moduleContext, requestContext, withRoutes } from "./context.js"
import { type Installed, installed } from "./installed.js"

// What the rest of core asks modules, besides the phases of a sign-in.

interface Typed {
  /** The id of the module. */
  readonly module: string
  readonly provider: CredentialsProvider
  readonly fields: Readonly<Record<string, unknown>>
}

/** Whether a module relies on a passkey of a user. */
export async function keepsPasskey(
  auth: AuthContext,
  request: AuthRequest,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<boolean> {
  const answers = await ofEach(auth, async (each) => {
    if (each.parts.keepsPasskey === undefined) return []
    return [await each.parts.keepsPasskey(await requestContext(auth, request, each), { id: userId }, id)]
  })
  return answers.includes(true)
}

/** Whether every module lets this session change the email of its user. */
export async function mayChangeEmail(auth: AuthContext, request: AuthRequest, userId: string): Promise<boolean> {
  const answers = await ofEach(auth, async (each) => {
    if (each.parts.mayChangeEmail === undefined) return []
    return [await each.parts.mayChangeEmail(await requestContext(auth, request, each), { id: userId })]
  })
  return !answers.includes(false)
}

/** Tells the modules about a confirmed email. @returns whether one of them ended the session of the request */
export async function emailChanged(auth: AuthContext, request: AuthRequest, userId: string): Promise<boolean> {
  const answers = await ofEach(auth, async (each) => {
    if (each.parts.emailChanged === undefined) return []
    return [await each.parts.emailChanged(await requestContext(auth, request, each), { id: userId })]
  })
  return answers.includes(true)
}

/** Who signs in with a provider of a module. `instead`: a proof, or what the visitor sees. */
export async function prove(
  auth: AuthContext,
  request: AuthRequest,
  { module, provider, fields }: Typed,
): Promise<{ readonly user: User | null } | { readonly instead: Proof | AuthResult }> {
  const own = await find(auth, module)
  if (own?.parts.prove === undefined) throw new InvalidConfig(`modules: ${module} has providers, but no \`prove\``)
  const checked = await own.parts.prove(await requestContext(auth, request, own), { provider: provider.id, fields })
  const outcome = outcomeOf(checked)
  if ("show" in outcome) return { instead: { ...outcome.show, cookies: [...outcome.show.cookies, ...jarOf(request)] } }
  if ("user" in outcome && outcome.carried === undefined) return { user: outcome.user }
  if ("account" in outcome) return { instead: ownAccountProof(auth, { module, provider }, outcome) }
  return { instead: proofOf({ module, provider, fields }, outcome) }
}

type OwnAccount = Extract<Outcome, { readonly account: string | null }>

function ownAccountProof(
  { runtime }: AuthContext,
  { module, provider }: Pick<Typed, "module" | "provider">,
  { account, amr, linkTo, newUser, carried }: OwnAccount,
): OwnAccountProof {
  if (account !== null && !isAccountName(account))
    throw new InvalidConfig(`modules: ${module} proved an account without a name of 1 to 255 characters`)
  // A factor may hold the sign-in, and a new user is the same one after it.
  const newId = runtime.uuid()
  return {
    provider,
    account: { providerAccountId: account ?? newId, type: "credentials", provider: provider.id },
    callbackUrl: undefined,
    own: { newId, isLinked: account !== null, amr, linkTo, newUser },
    ...(carried !== undefined && { carried: { module, value: carried } }),
  }
}

function proofOf(
  { module, provider, fields: credentials }: Typed,
  outcome: Exclude<Outcome, { readonly show: AuthResult } | OwnAccount>,
): Proof {
  const { carried } = outcome
  const id = "mailbox" in outcome ? outcome.mailbox : outcome.user.id
  const account = { providerAccountId: id, type: "credentials", provider: provider.id } as const
  const proof = {
    provider,
    account,
    callbackUrl: undefined,
    ...(carried !== undefined && { carried: { module, value: carried } }),
  }
  if (!("mailbox" in outcome)) return Object.assign(proof, { user: outcome.user, credentials })
  // A link can't be used again.
  const mailbox = {
    email: outcome.mailbox,
    emailVerified: true,
    restore: async () => undefined,
    ...(outcome.newUser && { newUser: outcome.newUser }),
  }
  return Object.assign(proof, mailbox)
}

/** What modules add to the account page. One that fails is logged, and the others are shown. */
export async function sectionsOf(
  auth: AuthContext,
  request: AuthRequest,
  user: ModuleUser,
): Promise<readonly ModuleSection[]> {
  return ofEach(auth, async (each) => {
    const { module, parts } = each
    try {
      const found = (await parts.account?.(await requestContext(auth, request, each), user)) ?? null
      return found === null ? [] : [{ module: module.id, ...found, blocks: withRoutes(found.blocks) }]
    } catch (cause) {
      auth.logger.error(new AuthError(`The account section of the module ${module.id} failed`, { cause }))
      return []
    }
  })
}

/**
 * Prepares to ask the modules where a sign-out leads, before the session ends. `undefined`: none of them says so.
 *
 * @returns what to call once it has ended
 */
export async function leaving(
  auth: AuthContext,
  request: AuthRequest,
  scope: SignOutFacts["scope"],
): Promise<((to: SafeUrl) => Promise<Left>) | undefined> {
  const asked = (await installed(auth)).filter(({ parts }) => parts.leave !== undefined)
  if (asked.length === 0) return undefined
  // The sign-out itself reports a session that can't be read.
  const live = await foundSession(auth, request).catch(() => null)
  const facts = { session: live?.row?.key, user: live?.userId === undefined ? null : { id: live.userId }, scope }
  return async (to) => {
    const said: Leave[] = []
    for (const each of asked) {
      try {
        said.push((await each.parts.leave?.(await requestContext(auth, request, each), { ...facts, to })) ?? {})
      } catch (cause) {
        auth.logger.error(
          new AuthError(`\`leave\` of the module ${each.module.id} failed; the user is signed out`, { cause }),
        )
      }
    }
    const headers = Object.assign({}, ...said.map((each) => each.headers)) as Params
    return { to: said.find((each) => each.to !== undefined)?.to ?? to, headers, cookies: jarOf(request) }
  }
}

interface Left extends Required<Leave> {
  readonly to: SafeUrl
  readonly headers: Params
  readonly cookies: readonly SetCookie[]
}

/** What modules have issued to users, one kind for each module. */
export async function revokers(auth: AuthContext): Promise<readonly CredentialKind<AuthContext>[]> {
  return ofEach(auth, async (each) => {
    const { module, parts } = each
    if (parts.revoke === undefined) return []
    const context = moduleContext(auth, each)
    return [{ name: module.id, end: async (_, { userId, reason }) => parts.revoke?.(context, { id: userId }, reason) }]
  })
}

/** What the modules report about the running application, each by its id. */
export async function moduleFindings(auth: AuthContext): Promise<readonly ModuleFinding[]> {
  return ofEach(auth, async (each) => {
    const { module, parts } = each
    const found = (await parts.doctor?.(moduleContext(auth, each))) ?? []
    return found.map((finding) => ({ module: module.id, finding }))
  })
}

export interface ModuleFinding {
  /** The id of the module. */
  readonly module: string
  /** The problem, and what to do about it. */
  readonly finding: string
}

/** What the modules keep about a user, by their ids. */
export async function moduleExports(auth: AuthContext, userId: string): Promise<UserExport["modules"]> {
  const kept = await ofEach(auth, async (each): Promise<readonly (readonly [string, unknown])[]> => {
    const { module, parts } = each
    if (parts.export === undefined) return []
    return [[module.id, await parts.export(moduleContext(auth, each), { id: userId })]]
  })
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as UserExport["modules"]
}

/** Calls a function that `server` of a module returns. */
export async function callMember(
  auth: AuthContext,
  id: string,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const own = await find(auth, id)
  const server = own?.parts.server?.(moduleContext(auth, own))
  const found: unknown = server === undefined ? undefined : Reflect.get(server, name)
  if (typeof found !== "function") throw new InvalidConfig(`modules: ${id}: \`server\` returns no function \`${name}\``)
  return Reflect.apply(found, server, args) as unknown
}

async function find(auth: AuthContext, id: string): Promise<Installed | undefined> {
  return (await installed(auth)).find(({ module }) => module.id === id)
}

async function ofEach<T>(auth: AuthContext, ask: (each: Installed) => Promise<readonly T[]>): Promise<readonly T[]> {
  return (await Promise.all((await installed(auth)).map(ask))).flat()
}
