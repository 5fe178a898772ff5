import type { AuthConfig } from "@latchkey/core/types"
import type { Anything } from "./model.js"
import type { AuthOptions } from "./types.js"
import { bodyOf, currentVisit } from "./visit.js"

type Params = Record<string, Anything>

/** The engine knows OpenID Connect as a type of its own. Version 4 stores and passes `oauth`. */
export function accountOf(account: Anything): Anything {
  return account?.type === "oidc" ? { ...account, type: "oauth" } : account
}

/** Version 4 doesn't say whose account it is, nor after how long the token expires. */
function shownAccount(account: Anything): Anything {
  const { userId: _, expires_in: __, ...shown } = accountOf(account) ?? {}
  return account && shown
}

/**
 * A user that isn't stored has the id of the account, as in version 4, and not a random one. `isStored`: the application has
 * an adapter, and the user comes from it.
 */
function userOf(user: Anything, account: Anything, isStored: boolean): Anything {
  const isOfProvider = account?.type === "oauth" || account?.type === "oidc"
  return isOfProvider && !isStored ? { ...user, id: account.providerAccountId } : user
}

/** Rows of version 4 have it, also if it's `null`. What a provider says about a user doesn't. */
function isRow(user: Anything): boolean {
  return user !== null && typeof user === "object" && "emailVerified" in user
}

/** The callbacks with the arguments of version 4. */
export function callbacksOf({ callbacks = {}, adapter }: AuthOptions): NonNullable<AuthConfig["callbacks"]> {
  const given: Params = callbacks
  return {
    ...(given["redirect"] && {
      // Where a refused sign-in leads is final.
      redirect: (params: Params) =>
        params["url"] === currentVisit()?.chosen ? params["url"] : given["redirect"](params),
    }),
    async signIn(passed: Params) {
      const { state: _, ...params } = passed
      const visit = currentVisit()
      const { user, account, credentials, ...rest } = params
      const whole = {
        ...rest,
        user: userOf(user, account, isRow(user)),
        account: { ...shownAccount(account), ...(rest["email"] && { userId: account?.providerAccountId }) },
        ...(credentials && { credentials: await bodyOf(passed["request"]) }),
      }
      try {
        const answer = given["signIn"] === undefined || (await given["signIn"](whole))
        if (visit !== undefined) visit.chosen = answer
        return answer
      } catch (cause) {
        if (visit !== undefined) visit.thrownBySignIn = cause
        throw cause
      }
    },
    async jwt(passed: Params) {
      const { state: _, ...params } = passed
      const { token, user, account } = params
      if (user === undefined) return given["jwt"]?.(params) ?? token
      const isStored = adapter !== undefined
      const signedIn = userOf(user, account, isStored)
      const claims = signedIn === user ? token : { ...token, sub: signedIn.id }
      return given["jwt"]?.({ ...params, token: claims, user: signedIn, account: shownAccount(account) }) ?? claims
    },
    ...(given["session"] && {
      session: ({ session, token, user, newSession, trigger }: Params) =>
        given["session"]({
          session: { user: shown(session.user), expires: expiryOf(session) },
          ...(token === undefined ? { user } : { token }),
          // With sessions in cookies, the `jwt` callback gets the data.
          ...(token === undefined && trigger === "update" && { newSession, trigger }),
        }),
    }),
  } as NonNullable<AuthConfig["callbacks"]>
}

function shown({ name, email, image }: Params): Params {
  return { name, email, image }
}

function expiryOf({ expires }: Params): string {
  return expires instanceof Date ? expires.toISOString() : expires
}

const names = ["signOut", "createUser", "updateUser", "session"] as const

/** The events with the messages of version 4. */
export function eventsOf({ events = {}, adapter }: AuthOptions): NonNullable<AuthConfig["events"]> {
  const given: Params = events
  const plain = names.filter((name) => given[name] !== undefined)
  return {
    ...Object.fromEntries(plain.map((name) => [name, (message: Params) => given[name]({ ...message })])),
    ...(given["signIn"] && {
      signIn: ({ user, account, profile, isNewUser }: Params) =>
        given["signIn"]({
          user: userOf(user, account, adapter !== undefined),
          account: shownAccount(account),
          ...(profile && { profile: currentVisit()?.profile ?? profile }),
          ...(isNewUser !== undefined && { isNewUser }),
        }),
    }),
    ...(given["linkAccount"] && {
      linkAccount: ({ user, account, profile }: Params) =>
        given["linkAccount"]({ user, account: shownAccount(account), profile: currentVisit()?.profile ?? profile }),
    }),
  } as NonNullable<AuthConfig["events"]>
}
