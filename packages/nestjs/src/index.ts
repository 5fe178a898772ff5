import { type DynamicModule, Inject, Module, type NestModule, type Provider } from "@nestjs/common"
import { APP_FILTER, HttpAdapterHost } from "@nestjs/core"
import { AccessRefusedFilter } from "./guard.js"
import type { LatchkeyAsyncOptions, LatchkeyConfig } from "./model.js"
import { AuthService } from "./service.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Destination, SessionOf, Token, UserExport } from "@latchkey/core/integration"
export type { Account, AuthConfig, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export { CurrentSession, Public, SessionGuard } from "./guard.js"
export type {
  AppMembers,
  AppSession,
  AuthRedirect,
  LatchkeyAsyncOptions,
  LatchkeyConfig,
  Register,
  SignInOptions,
} from "./model.js"
export { AccessRefused, AuthService, type PlatformRequest } from "./service.js"

const configToken = Symbol("@latchkey/nestjs configuration")

/**
 * Answers the auth routes, and provides {@link AuthService} to all modules.
 *
 * @example
 * ```ts
 * import { LatchkeyModule } from "@latchkey/nestjs"
 * import GitHub from "@latchkey/nestjs/providers/github"
 *
 * export const imports = [LatchkeyModule.forRoot({ providers: [GitHub] })]
 * ```
 */
export class LatchkeyModule implements NestModule {
  readonly #auth: AuthService
  readonly #host: HttpAdapterHost

  constructor(auth: AuthService, host: HttpAdapterHost) {
    this.#auth = auth
    this.#host = host
  }

  /** Nest calls it before it adds the middleware and routes of the application. */
  configure(): void {
    this.#auth.answerAuthRoutes(this.#host)
  }

  static forRoot(config: LatchkeyConfig): DynamicModule {
    return moduleWith({ provide: configToken, useValue: config })
  }

  /** The configuration comes from a function, to which Nest passes other providers. */
  static forRootAsync<K extends PropertyKey = never>({
    imports = [],
    inject = [],
    useFactory,
  }: LatchkeyAsyncOptions<K>): DynamicModule {
    return { ...moduleWith({ provide: configToken, inject, useFactory }), imports }
  }
}
Module({})(LatchkeyModule)
Inject(AuthService)(LatchkeyModule, undefined, 0)
Inject(HttpAdapterHost)(LatchkeyModule, undefined, 1)

function moduleWith(config: Provider): DynamicModule {
  return {
    module: LatchkeyModule,
    global: true,
    providers: [
      config,
      { provide: AuthService, inject: [configToken], useFactory: (given: LatchkeyConfig) => new AuthService(given) },
      { provide: APP_FILTER, useClass: AccessRefusedFilter },
    ],
    exports: [AuthService],
  }
}
