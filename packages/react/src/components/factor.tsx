import type { FactorStep } from "@latchkey/core/types"
import type { ReactElement } from "react"
import { FieldsForm } from "./fields-form.js"
import { Description, TextLink, Title, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { useSlots } from "./slots.js"
import { factorKey } from "./use-steps.js"

/** What the user has to prove after a password or another method. Its texts come from the server. */
export function Factor({ step }: { readonly step: FactorStep }): ReactElement {
  const { texts, answerFactor, factorPasskey, restart } = useControls()
  const { components, classNames } = useSlots()
  const { Button } = components
  const part = usePart()
  const { title, text, blocks = [], fields, submit, actions = {}, csrfToken, url } = step
  const alternative = {
    type: "button",
    variant: "link",
    "data-slot": "button",
    className: classNames["alternative"],
  } as const
  return (
    <>
      <Title>{title}</Title>
      {text !== undefined && <Description>{text}</Description>}
      {blocks.map((block, index) => (
        // The blocks of a step don't change.
        <BlockView key={index} block={block} />
      ))}
      <FieldsForm
        form={{ key: factorKey, type: "factor", url, fields }}
        hidden={{ csrfToken }}
        label={submit}
        onSubmit={answerFactor}
      />
      <div data-slot="sign-in-alternatives" className={part("alternatives", "alternatives")}>
        {step.passkey !== undefined && (
          <Button {...alternative} onClick={() => factorPasskey(step)}>
            {step.passkey.label}
          </Button>
        )}
        {Object.entries(actions).map(([action, label]) => (
          <Button key={action} {...alternative} onClick={() => answerFactor({ action })}>
            {label}
          </Button>
        ))}
        <Button {...alternative} onClick={restart}>
          {texts.cancel}
        </Button>
      </div>
    </>
  )
}

type FactorBlock = NonNullable<FactorStep["blocks"]>[number]

/** Such as a QR code, and the key as text. */
function BlockView({ block }: { readonly block: FactorBlock }): ReactElement | null {
  switch (block.kind) {
    case "text":
      return <Description>{block.text}</Description>
    case "image":
      return <img data-slot="sign-in-image" src={block.src} alt={block.alt} width={192} height={192} />
    case "codes":
      return (
        <ul data-slot="sign-in-codes">
          {block.codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )
    case "link":
      return <TextLink href={block.url}>{block.text}</TextLink>
    case "form":
      return null
  }
}
