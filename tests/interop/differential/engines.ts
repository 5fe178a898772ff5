import type { Application, Imports } from "./application.js"
import type { Framework } from "./plan.js"

/** One library in one application. */
export interface Engine {
  handle(request: Request): Promise<Response>
  /** Reads the session as the application does outside of the auth routes. */
  auth?(request: Request, as: "reader" | "proxy" | "handler"): Promise<Response>
  close?(): Promise<void>
}

/** One of the two libraries that are compared. */
export interface Library {
  readonly name: "next-auth" | "Latchkey"
  readonly imports: Imports
  open(application: Application): Promise<Engine>
}

/** What a package for a framework has to offer. The types of the two libraries differ, so they are as wide as possible. */
export type Opener = (application: Application) => Engine | Promise<Engine>
export type Openers = Readonly<Record<Framework, Opener>>

export function createLibrary(name: Library["name"], imports: Imports, openers: Openers): Library {
  const open: Library["open"] = async (application) => {
    const engine = await openers[application.plan.framework](application)
    return { ...engine, handle: (request) => engine.handle(request).catch(thrown) }
  }
  return { name, imports, open }
}

/** What a server answers if the library throws. */
function thrown(error: unknown): Response {
  return new Response(String(error), { status: 500 })
}

type Config = Record<string, unknown>

interface CoreExports {
  Auth(request: Request, config: Config): Promise<Response>
  setEnvDefaults(env: Readonly<Record<string, string>>, config: Config): void
}

/** An application that calls `Auth` itself, after `setEnvDefaults`. */
export function coreOpener({ Auth, setEnvDefaults }: CoreExports): Opener {
  return ({ plan, config }) => {
    const complete = new WeakSet()
    return {
      handle: async (request) => {
        const given = config()
        if (!complete.has(given)) setEnvDefaults(plan.env, given)
        complete.add(given)
        return await Auth(request, given)
      },
    }
  }
}
