import { $, component$, Slot, useStore } from "@builder.io/qwik"
import { routeLoader$, useLocation } from "@builder.io/qwik-city"
import { csrfToken } from "../plugin@auth"

export const useCsrfToken = routeLoader$((event) => csrfToken(event))

/** A browser loads this when it submits the first form. */
const steps = {
  "callback/credentials": async (form: FormData) => (await flow()).password(form),
  "signin/email": async (form: FormData) => (await flow()).email(textOf(form, "email")),
  "callback/email": async (form: FormData) => (await flow()).code(textOf(form, "code")),
  "callback/passkey": async () => (await flow()).passkey(),
  "signin/openid": async () => (await flow()).oauth("openid"),
}

async function flow() {
  const [{ createAuthClient }, { createFlow }] = await Promise.all([
    import("@latchkey/client"),
    import("@latchkey/client/flow"),
  ])
  return createFlow(createAuthClient())
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

interface Problems {
  [action: string]: string | undefined
}

export default component$(() => {
  const state = useStore<{ problems: Problems; email: string }>({ problems: {}, email: "" })
  return (
    <section class="panel">
      <h1>Sign in</h1>
      <Step action="callback/credentials" state={state}>
        <label>
          Email <input name="email" type="email" autoComplete="username webauthn" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
      </Step>
      <Step action="signin/email" state={state}>
        <label>
          Email <input name="email" type="email" autoComplete="email" required />
        </label>
        <button>Email me a link</button>
      </Step>
      {state.email !== "" && (
        <Step action="callback/email" state={state}>
          <p role="status">We sent a link to {state.email}.</p>
          <label>
            Code in the email <input name="code" autoComplete="one-time-code" required />
          </label>
          <button>Use the code</button>
        </Step>
      )}
      <Step action="callback/passkey" state={state}>
        <button>Use a passkey</button>
      </Step>
      <Step action="signin/openid" state={state}>
        <button>Continue with OpenID</button>
      </Step>
    </section>
  )
})

interface Props {
  readonly action: keyof typeof steps
  readonly state: { problems: Problems; email: string }
}

/** A form for one step of the sign-in, with its error. Without JavaScript, the browser posts it to the auth routes. */
const Step = component$<Props>(({ action, state }) => {
  const { url } = useLocation()
  const token = useCsrfToken()
  const send = $(async (_: Event, form: HTMLFormElement) => {
    const step = await steps[action](new FormData(form))
    state.problems = { ...state.problems, [action]: step.status === "error" ? step.error.message : "" }
    if (step.status === "email-sent") state.email = step.email
    else if (step.status !== "error") (await flow()).follow(step)
  })
  return (
    <form class="fields" method="post" action={`/auth/${action}`} preventdefault:submit onSubmit$={send}>
      <input type="hidden" name="csrfToken" value={token.value} />
      <input type="hidden" name="callbackUrl" value={url.searchParams.get("callbackUrl") ?? "/account/"} />
      <Slot />
      <p class="error" role="alert">
        {state.problems[action]}
      </p>
    </form>
  )
})
