import type { FactorStep } from "@latchkey/core/types"
import type { ReactElement } from "react"
import { FieldsForm } from "./fields-form.js"
import { Description, Title, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { useSlots } from "./slots.js"
import { factorKey } from "./use-steps.js"

/** What the user has to prove after a password or another method. Its texts come from the server. */
export function Factor({ step }: { readonly step: FactorStep }): ReactElement {
  const { texts, answerFactor, restart } = useControls()
  const { components, classNames } = useSlots()
  const { Button } = components
  const part = usePart()
  const { title, text, fields, submit, csrfToken, url } = step
  return (
    <>
      <Title>{title}</Title>
      {text !== undefined && <Description>{text}</Description>}
      <FieldsForm
        form={{ key: factorKey, type: "factor", url, fields }}
        hidden={{ csrfToken }}
        label={submit}
        onSubmit={answerFactor}
      />
      <div data-slot="sign-in-alternatives" className={part("alternatives", "alternatives")}>
        <Button type="button" variant="link" data-slot="button" className={classNames["alternative"]} onClick={restart}>
          {texts.cancel}
        </Button>
      </div>
    </>
  )
}
