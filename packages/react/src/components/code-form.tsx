import type { EmailCode } from "@latchkey/core/types"
import { type ChangeEvent, type CSSProperties, type FormEvent, type ReactElement, useEffect, useState } from "react"
import { FieldError, flag, HiddenFields, StepButton, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { fill } from "./sign-in-texts.js"
import { useSlots } from "./slots.js"

/** One input that looks like a box for each character, so that autofill, paste and screen readers work as usual. */
export function CodeForm({ code }: { readonly code: EmailCode }): ReactElement {
  const { csrfToken, id: prefix, problem, texts, sendCode } = useControls()
  const { components, classNames } = useSlots()
  const { Input, Label } = components
  const part = usePart()
  const { length, digits, url } = code
  const [value, setValue] = useState("")
  const [isMissing, setMissing] = useState(false)
  const id = `${prefix}code`
  const boxes: CSSProperties & Record<"--latchkey-code-length", number> = { "--latchkey-code-length": length }
  const refusal = problem?.key === "code" ? problem.error.message : undefined
  const error = isMissing ? texts.required : refusal
  const errorId = error === undefined ? undefined : `${id}-error`

  useEffect(() => {
    // The user types another code.
    if (problem?.key === "code") setValue("")
  }, [problem])

  function onChange({ target }: ChangeEvent<HTMLInputElement>): void {
    const typed = cleaned(target.value, code)
    setValue(typed)
    setMissing(false)
    if (typed.length === length && typed !== value) sendCode(typed)
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (value.length === length) return sendCode(value)
    setMissing(true)
    document.getElementById(id)?.focus()
  }

  return (
    <form
      action={url}
      method="post"
      data-slot="sign-in-form"
      data-method="code"
      className={part("form", "form")}
      onSubmit={onSubmit}
      noValidate
    >
      <HiddenFields fields={{ csrfToken }} />
      <div data-slot="field" data-invalid={flag(error !== undefined)} className={part("field", "field")}>
        <Label data-slot="label" className={classNames["label"]} htmlFor={id}>
          {fill(digits ? texts.digits : texts.characters, { count: length })}
        </Label>
        <Input
          id={id}
          name="code"
          data-slot="input-otp"
          className={part("code", "input latchkey-code")}
          style={boxes}
          dir="ltr"
          size={length}
          value={value}
          onChange={onChange}
          required
          inputMode={digits ? "numeric" : "text"}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={flag(error !== undefined)}
          aria-describedby={errorId}
        />
        {errorId !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      </div>
      <StepButton type="submit" step="code" className={classNames["button"]}>
        {texts.continue}
      </StepButton>
    </form>
  )
}

/** Leaves out the spaces and dashes that a user copies with a code, and reads Arabic digits. */
function cleaned(text: string, { length, digits }: EmailCode): string {
  const plain = text
    .normalize("NFKC")
    .replace(/[\s\p{Pd}\p{Cf}]/gu, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0x0f))
  return (digits ? plain.replace(/\D/g, "") : plain).slice(0, length)
}
