import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  createParamDecorator,
  type CustomDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
} from "@nestjs/common"
import { Reflector } from "@nestjs/core"
import { AccessRefused, AuthService, currentSession, sendTo } from "./service.js"

const publicKey = "latchkey:public"

/** Where Nest stores what `@UseGuards` got. */
const guardsKey = "__guards__"

/** Opens a controller or handler to everyone, although {@link SessionGuard} protects the rest. */
export const Public = (): CustomDecorator => SetMetadata(publicKey, true)

/** The session, as a parameter of a handler: `null` without one, which {@link SessionGuard} rules out. */
export const CurrentSession: () => ParameterDecorator = createParamDecorator((_: unknown, context: ExecutionContext) =>
  currentSession(context.switchToHttp().getRequest()),
)

/**
 * Lets only users pass. Without a session, a page redirects to the sign-in page, and other requests get 401. Use it for one
 * controller, or for all with `{ provide: APP_GUARD, useClass: SessionGuard }`.
 *
 * @throws AccessRefused
 */
export class SessionGuard implements CanActivate {
  readonly #auth: AuthService
  readonly #reflector: Reflector

  constructor(auth: AuthService, reflector: Reflector) {
    this.#auth = auth
    this.#reflector = reflector
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.#reflector.getAllAndOverride<unknown>(publicKey, [context.getHandler(), context.getClass()]) === true)
      return true
    // Messages of other transports have no cookies.
    if (context.getType() !== "http") return false
    const opensPages = !this.#isOnHandler(context)
    const response = await this.#auth.protect(context.switchToHttp().getRequest(), { opensPages })
    if (response !== undefined) throw new AccessRefused(response)
    return true
  }

  /** Whether `@UseGuards` names this guard. Then the handler isn't open to everyone, whatever its path. */
  #isOnHandler(context: ExecutionContext): boolean {
    const guards = this.#reflector.getAllAndMerge<unknown[]>(guardsKey, [context.getHandler(), context.getClass()])
    return guards.some((guard) => guard === this || (typeof guard === "function" && this instanceof guard))
  }
}
Injectable()(SessionGuard)
Inject(AuthService)(SessionGuard, undefined, 0)
Inject(Reflector)(SessionGuard, undefined, 1)

export class AccessRefusedFilter implements ExceptionFilter<AccessRefused> {
  async catch({ answer }: AccessRefused, host: ArgumentsHost): Promise<void> {
    await sendTo(host.switchToHttp().getRequest(), answer)
  }
}
Catch(AccessRefused)(AccessRefusedFilter)
