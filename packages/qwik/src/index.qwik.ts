import { implicit$FirstArg, inlinedQrl, type QRL, useLexicalScope } from "@builder.io/qwik"
import { isServer } from "@builder.io/qwik/build"
import { globalActionQrl, routeLoaderQrl, type z, zodQrl } from "@builder.io/qwik-city"
import * as core from "@latchkey/core/env"
import type { AuthConfig, JWT, Module, Session, SessionUpdate, StepUp } from "@latchkey/core/types"
import { recordOf } from "./env.js"
import type {
  ConfigFunction,
  ConfigQrl,
  EnvGetter,
  QwikAuth,
  RequestEventCommon,
  SignInInput,
  SignOutInput,
} from "./model.js"

export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type {
  ActionResult,
  ConfigQrl,
  EnvGetter,
  GetSessionResult,
  QwikAuth,
  QwikAuthConfig,
  SignInInput,
  SignOutInput,
} from "./model.js"

/** The option of a provider that replaces `fetch`. In a browser, it's `undefined`. */
export const customFetch: typeof core.customFetch | undefined = isServer ? core.customFetch : undefined

/**
 * Writes values from environment variables into `config`, as the function of the same name in `@auth/qwik` does.
 * {@link QwikAuth$} needs no call of it.
 *
 * @throws TypeError if `config` is frozen
 */
export function setEnvDefaults(env: EnvGetter, config: AuthConfig): void {
  if (!isServer) return
  core.setEnvDefaults(recordOf(env), config, true)
  config.skipCSRFCheck = core.skipCSRFCheck
}

// The optimizer moves the functions in `inlinedQrl` into modules of their own. They reach the rest of the package only through
// `import()`, so none of it gets into the browser. The ids at the end are in the URLs of forms, and those of `@auth/qwik`: a
// form in a page that was open during the swap still works.

type Zod = typeof z
type Handler<I> = (input: I, ev: RequestEventCommon) => Promise<void>

// `#router` may lead to the types of another version. Only details differ, and the optimizer ignores types.
const createAction = globalActionQrl as unknown as <I>(qrl: QRL<Handler<I>>, validator: unknown) => unknown
const createZodValidator: (schema: QRL<(z: Zod) => unknown>) => Validator = zodQrl as never
type CreateLoader = (qrl: QRL<(ev: RequestEventCommon) => unknown>) => unknown

interface Validator {
  validate(ev: RequestEventCommon, input: unknown): Promise<{ success: boolean; error?: ZodFailure }>
}

/** Qwik has the last text of each path, such as `options.redirectTo`, and the texts about the whole input twice. */
interface ZodFailure {
  readonly formErrors: string[]
  readonly fieldErrors: Readonly<Record<string, string | string[]>>
}

/** As the types of the actions say, which `@auth/qwik` has too: the texts of each field. */
function createValidator(schema: QRL<(z: Zod) => unknown>): Validator {
  const zod = createZodValidator(schema)
  return {
    ...zod,
    async validate(ev, input) {
      const { error, ...result } = await zod.validate(ev, input)
      return error === undefined ? result : { ...result, error: { ...error, fieldErrors: byField(error.fieldErrors) } }
    },
  }
}

function byField(texts: ZodFailure["fieldErrors"]): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const [path, text] of Object.entries(texts)) {
    const [field = ""] = path.split(".", 1)
    if (field !== "") fields[field] = [fields[field] ?? [], text].flat(2)
  }
  return fields
}

/** {@link QwikAuth$} for the optimizer, which turns calls of one into calls of the other. */
export function QwikAuthQrl<T extends JWT = JWT, S = Session>(config: ConfigQrl<T, S>): QwikAuth<Awaited<S>> {
  const signIn = inlinedQrl(
    async (input: SignInInput, ev: RequestEventCommon) => {
      const [config] = useLexicalScope<[ConfigQrl]>()
      if (isServer) await (await import("./server.js")).signIn(config, ev, input)
    },
    "QwikAuthQrl_useSignIn_xjVnyrcqS90",
    [config],
  )
  const signOut = inlinedQrl(
    async (input: SignOutInput, ev: RequestEventCommon) => {
      const [config] = useLexicalScope<[ConfigQrl]>()
      if (isServer) await (await import("./server.js")).signOut(config, ev, input)
    },
    "QwikAuthQrl_useSignOut_ah1IDwV91Ag",
    [config],
  )
  const signInInput = inlinedQrl(
    (z: Zod) =>
      z.object({
        providerId: z.string().optional(),
        redirectTo: z.string().optional(),
        options: z.object({ redirectTo: z.string() }).passthrough().partial().optional(),
        authorizationParams: z.any(),
      }),
    "QwikAuthQrl_useSignIn_input_X0EcrMISJRM",
  )
  const signOutInput = inlinedQrl(
    (z: Zod) => z.object({ redirectTo: z.string().optional(), scope: z.string().optional() }),
    "QwikAuthQrl_useSignOut_input_R188QAWPJFs",
  )
  const auth = {
    async onRequest(ev: RequestEventCommon) {
      if (isServer) await (await import("./server.js")).onRequest(config, ev)
    },
    update: async (ev: RequestEventCommon, data: SessionUpdate) =>
      isServer ? (await import("./server.js")).update(config, ev, data) : null,
    async account(ev: RequestEventCommon) {
      return isServer ? (await import("./server.js")).account(config, ev) : null
    },
    ...onUser(config),
    token: tokenOf(config),
    modules: async (ev: RequestEventCommon) => (isServer ? (await import("./server.js")).modules(config, ev) : {}),
    async getSession(ev: RequestEventCommon) {
      return isServer ? await (await import("./server.js")).getSession(config, ev) : null
    },
    async requireSession(ev: RequestEventCommon, asked?: StepUp) {
      return isServer ? await (await import("./server.js")).requireSession(config, ev, asked) : null
    },
    csrfToken: async (ev: RequestEventCommon) => (isServer ? (await import("./server.js")).csrfToken(config, ev) : ""),
    // Right around its function: otherwise the build of Qwik 2 takes it for no loader, and the browser never loads it again.
    useSession: (routeLoaderQrl as unknown as CreateLoader)(
      inlinedQrl((ev: RequestEventCommon) => ev.sharedMap.get("session"), "QwikAuthQrl_useSession_4AFWl3chA98"),
    ),
    useSignIn: createAction(signIn, isServer ? createValidator(signInInput) : undefined),
    useSignOut: createAction(signOut, isServer ? createValidator(signOutInput) : undefined),
  }
  return auth as QwikAuth<Awaited<S>>
}

function onUser(config: ConfigQrl) {
  return {
    async revoke(ev: RequestEventCommon, userId: string, reason?: string) {
      if (isServer) await (await import("./server.js")).revoke(config, ev, userId, reason)
    },
    async disable(ev: RequestEventCommon, userId: string, reason?: string) {
      if (isServer) await (await import("./server.js")).disable(config, ev, userId, reason)
    },
    async enable(ev: RequestEventCommon, userId: string) {
      if (isServer) await (await import("./server.js")).enable(config, ev, userId)
    },
    async export(ev: RequestEventCommon, userId: string) {
      return isServer ? (await import("./server.js")).exportUser(config, ev, userId) : null
    },
  }
}

function tokenOf(config: ConfigQrl): object {
  const token = async (...args: readonly unknown[]) =>
    isServer ? (await import("./server.js")).token(config, args) : null
  const fetch = async (...args: readonly unknown[]) =>
    isServer ? (await import("./server.js")).fetchWithToken(config, args) : null
  return Object.assign(token, { fetch })
}

/**
 * Creates what a Qwik application needs to sign users in. Export all of it from `src/routes/plugin@auth.ts`.
 *
 * @example
 * ```ts
 * import { QwikAuth$ } from "@latchkey/qwik"
 * import GitHub from "@latchkey/qwik/providers/github"
 *
 * export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({ providers: [GitHub] }))
 * ```
 * @param config a function that returns the configuration for a request. The values of variables that it uses become part of
 *   the page, so read secrets from `ev.env` inside of it
 */
export const QwikAuth$: <
  T extends JWT = JWT,
  S = Session,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigFunction<T, S, K, Mods>,
) => QwikAuth<Awaited<S>, Mods> = implicit$FirstArg(QwikAuthQrl as never)
