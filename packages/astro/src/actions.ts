import { type Destination, fieldsIn } from "@latchkey/core/integration"
import type { defineAction } from "astro/actions/runtime/entrypoints/server.js"
import type { AstroContext } from "./context.js"

export type DefineAction = typeof defineAction

/** What an action returns to a script. A form is redirected instead. */
export interface ActionResult {
  /** Where to go next. After a refused sign-in, it's the page that shows the error. */
  readonly to: string
  /** The type of the error, if the sign-in was refused. */
  readonly error?: string
}

type FormAction = ReturnType<typeof defineAction<ActionResult, "form">>

export interface AuthActions {
  /** Signs in with the field `provider`. Other fields, such as `redirectTo` and `email`, are its options. */
  readonly signIn: FormAction
  /** Signs out, and leads to the field `redirectTo`. */
  readonly signOut: FormAction
}

interface Calls {
  signIn(context: AstroContext, provider: string | undefined, options: FormOptions): Promise<Destination>
  signOut(context: AstroContext, options: FormOptions): Promise<Destination>
}

interface FormOptions {
  readonly redirect: false
  readonly [field: string]: string | false
}

export function createActions(define: DefineAction, { signIn, signOut }: Calls): AuthActions {
  return {
    signIn: define({
      accept: "form",
      handler: async (form: FormData, context) => {
        const { provider, ...fields } = fieldsIn(form)
        const destination = await signIn(context, provider, { ...fields, redirect: false })
        return resultFor(context, destination)
      },
    }),
    signOut: define({
      accept: "form",
      handler: async (form: FormData, context) =>
        resultFor(context, await signOut(context, { ...fieldsIn(form), redirect: false })),
    }),
  }
}

const destinations = new WeakMap<object, string>()

/** An action can't redirect, so the middleware does. */
export function destinationOf({ locals }: AstroContext): string | undefined {
  return destinations.get(locals)
}

function resultFor({ request, locals }: AstroContext, { to, error }: Destination): ActionResult {
  const isForm = new URL(request.url).searchParams.has("_action")
  if (isForm) destinations.set(locals, to)
  return error === undefined ? { to } : { to, error: error.type }
}
