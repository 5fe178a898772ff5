import type { EmailSentStep } from "@latchkey/core/types"
import type { ReactElement } from "react"
import { CodeForm } from "./code-form.js"
import { Alert, Description, StepButton, Title, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { fill } from "./sign-in-texts.js"
import { useSlots } from "./slots.js"
import { useSecondsUntil } from "./use-seconds.js"

/** After an email was sent: the form for its code, and what to do if it doesn't arrive. */
export function EmailSent({ step }: { readonly step: EmailSentStep }): ReactElement {
  const { problem, texts, resent, restart } = useControls()
  const { components, classNames } = useSlots()
  const { Button } = components
  const part = usePart()
  const { email, code } = step
  return (
    <>
      <Title>{texts.sentTitle}</Title>
      <Description>{fill(code === undefined ? texts.sentLink : texts.sentCode, { email })}</Description>
      {problem !== undefined && problem.key !== "code" && <Alert>{problem.error.message}</Alert>}
      {code !== undefined && <CodeForm code={code} />}
      <p role="status" data-slot="sign-in-status" className={part("description", "status")}>
        {resent > 0 ? texts.sentAgain : texts.sentHint}
      </p>
      <div data-slot="sign-in-alternatives" className={part("alternatives", "alternatives")}>
        {/* Each email starts another count. */}
        <ResendButton key={resent} seconds={step.resendIn} />
        <Button type="button" variant="link" data-slot="button" className={classNames["alternative"]} onClick={restart}>
          {texts.otherEmail}
        </Button>
      </div>
    </>
  )
}

function ResendButton({ seconds: wait }: { readonly seconds: number }): ReactElement {
  const { texts, resend } = useControls()
  const { classNames } = useSlots()
  const seconds = useSecondsUntil(wait)
  return (
    <StepButton
      type="button"
      step="resend"
      variant="link"
      className={classNames["alternative"]}
      {...(seconds > 0 && { "aria-disabled": true })}
      onClick={() => {
        if (seconds === 0) resend()
      }}
    >
      {seconds > 0 ? fill(texts.resendIn, { time: inSeconds(seconds) }) : texts.resend}
    </StepButton>
  )
}

/** Such as `42s`, in the language of the page. */
function inSeconds(seconds: number): string {
  const { lang } = document.documentElement
  return new Intl.NumberFormat(lang || undefined, { style: "unit", unit: "second", unitDisplay: "narrow" }).format(
    seconds,
  )
}
