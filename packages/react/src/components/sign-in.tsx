import type { EveryProp } from "@latchkey/client"
import { type ReactElement, type ReactNode, useId, useRef } from "react"
import { checkProps } from "../check-props.js"
import { EmailSent } from "./email-sent.js"
import { Factor } from "./factor.js"
import { useFocus } from "./focus.js"
import { Methods } from "./methods.js"
import { Alert, Title } from "./parts.js"
import type { SignInProps } from "./sign-in-props.js"
import { type SignInControls, SignInContext, useControls } from "./sign-in-context.js"
import { english } from "./sign-in-texts.js"
import { classes, SlotsContext, slotsOf, useSlots } from "./slots.js"
import { useSignIn } from "./use-sign-in.js"

const known: EveryProp<SignInProps> = {
  initial: true,
  csrfToken: true,
  methods: true,
  redirectTo: true,
  onSuccess: true,
  heading: true,
  fallback: true,
  resume: true,
  texts: true,
  forgotPasswordUrl: true,
  createAccountUrl: true,
  className: true,
  classNames: true,
  components: true,
}

/**
 * Signs in with every method of your configuration: passwords, email links and codes, passkeys, and other providers.
 *
 * It has no look until you import `@latchkey/react/styles.css`, or pass classes or components of your own.
 *
 * @example
 * ```tsx
 * import { SignIn } from "@latchkey/react/components"
 * import "@latchkey/react/styles.css"
 *
 * export const Page = () => <SignIn redirectTo="/home" forgotPasswordUrl="/forgot-password" />
 * ```
 */
export function SignIn(props: SignInProps): ReactElement {
  const { className, fallback, forgotPasswordUrl, createAccountUrl } = props
  checkProps(props, { component: "SignIn", props: known })
  const root = useRef<HTMLElement>(null)
  const id = useId()
  const controls: SignInControls = { ...useSignIn(props), texts: { ...english, ...props.texts }, id }
  useFocus(root, controls)
  const { step, pending, texts } = controls
  return (
    <SlotsContext.Provider value={slotsOf(props)}>
      <SignInContext.Provider value={controls}>
        <section
          ref={root}
          data-slot="sign-in"
          className={classes("latchkey latchkey-sign-in", className)}
          aria-label={texts.title}
          aria-busy={pending !== undefined}
        >
          {step?.status === "email-sent" ? (
            <EmailSent step={step} />
          ) : step?.status === "factor" ? (
            <Factor key={step.factor} step={step} />
          ) : (
            <>
              {props.heading === undefined ? <Title>{texts.title}</Title> : props.heading}
              {step === undefined ? (
                <Loading>{fallback}</Loading>
              ) : (
                <Methods
                  lastUsed={step.lastUsed}
                  forgotPasswordUrl={forgotPasswordUrl}
                  createAccountUrl={createAccountUrl}
                />
              )}
            </>
          )}
        </section>
      </SignInContext.Provider>
    </SlotsContext.Provider>
  )
}

/** While the methods load, or if they couldn't be loaded. */
function Loading({ children }: { readonly children: ReactNode }): ReactElement {
  const { problem, texts, reload } = useControls()
  const { Button } = useSlots().components
  if (problem === undefined)
    return (
      <div data-slot="sign-in-loading" className="latchkey-loading">
        {children ?? <p role="status">{texts.loading}</p>}
      </div>
    )
  return (
    <>
      <Alert>{problem.error.message}</Alert>
      <Button data-slot="button" variant="outline" onClick={reload}>
        {texts.retry}
      </Button>
    </>
  )
}
