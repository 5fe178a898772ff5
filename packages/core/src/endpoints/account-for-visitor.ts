import { UnknownAction } from "../errors.js"
import { nothing, toAuthRequest } from "../http/auth-request.js"
import { assertOwnForm, trustedCsrf } from "../http/csrf.js"
import { type ServerAccount, type UserAccount, accountFunctions, readingFunctions } from "../model/account.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, Visitor } from "../model/http.js"
import type { Outcome } from "../model/features.js"

interface CallOptions {
  readonly forwardsForms: boolean
  /** Runs a call of the application with the configuration for the visitor. */
  call<T>(visitor: Visitor, work: (auth: AuthContext) => Promise<T>): Promise<T>
}

/** The functions of an account. They load with the first call. */
export function accountFor(visitor: Visitor, { call, forwardsForms }: CallOptions): ServerAccount {
  const cookies: SetCookie[] = []
  const run =
    (name: keyof UserAccount) =>
    (...args: never[]) =>
      call(visitor, async (auth) => {
        const request = requestOf(auth, visitor)
        if (forwardsForms && !readingFunctions.has(name)) assertOwnForm(auth, visitor, request)
        const functions = await auth.features.account?.(auth)
        // `UserAccount` relates each name to its parameters and its result.
        const work = functions?.[name] as ((...all: unknown[]) => Promise<Outcome<unknown>>) | undefined
        if (work === undefined) throw new UnknownAction(`This application has no function \`${name}\` of the account`)
        const { value, cookies: own } = await work(auth, request, ...args)
        cookies.push(...own)
        return value
      })
  const functions = Object.fromEntries(accountFunctions.map((name) => [name, run(name)]))
  return { ...(functions as unknown as UserAccount), cookies }
}

function requestOf(auth: AuthContext, visitor: Visitor): AuthRequest {
  const url = new URL(`${auth.basePath}/account`, "http://localhost")
  const route = { action: "account", providerId: undefined }
  return toAuthRequest(auth, visitor, { url, method: "POST", route, body: nothing, csrf: trustedCsrf })
}
