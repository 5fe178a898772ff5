import {
  type ComponentPropsWithoutRef,
  type ComponentType,
  type Context,
  createContext,
  type ReactElement,
  useContext,
} from "react"

/** The names that shadcn/ui uses. */
export type ButtonVariant = "default" | "outline" | "ghost" | "link"

export interface ButtonProps extends ComponentPropsWithoutRef<"button"> {
  readonly variant?: ButtonVariant | undefined
}

export type InputProps = ComponentPropsWithoutRef<"input">

export type LabelProps = ComponentPropsWithoutRef<"label">

export interface LinkProps extends ComponentPropsWithoutRef<"a"> {
  readonly href: string
}

/** Components of the application that replace the plain elements, such as those of shadcn/ui. They must pass on all props. */
export interface SlotComponents {
  readonly Button?: ComponentType<ButtonProps> | undefined
  readonly Input?: ComponentType<InputProps> | undefined
  readonly Label?: ComponentType<LabelProps> | undefined
  /** Such as `next/link`. */
  readonly Link?: ComponentType<LinkProps> | undefined
}

/** Replaces the plain elements, and adds classes to them. */
export interface SlotProps<Name extends string> {
  /** Classes of the outermost element. */
  readonly className?: string | undefined
  /** Classes by the name of the part. */
  readonly classNames?: { readonly [Part in Name]?: string | undefined } | undefined
  readonly components?: SlotComponents | undefined
}

/** Joins classes. The ones that start with `latchkey` belong to the style sheet of this package. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ")
}

/** The default of `Button`. */
function PlainButton({ variant = "default", className, ...props }: ButtonProps): ReactElement {
  return <button type="button" data-variant={variant} className={classes("latchkey-button", className)} {...props} />
}

function PlainInput({ className, ...props }: InputProps): ReactElement {
  return <input className={classes("latchkey-input", className)} {...props} />
}

function PlainLabel({ className, htmlFor, children, ...props }: LabelProps): ReactElement {
  return (
    <label className={classes("latchkey-label", className)} htmlFor={htmlFor} {...props}>
      {children}
    </label>
  )
}

function PlainLink({ className, children, ...props }: LinkProps): ReactElement {
  return (
    <a className={classes("latchkey-link", className)} {...props}>
      {children}
    </a>
  )
}

interface Slots {
  readonly components: Required<{ readonly [Name in keyof SlotComponents]: NonNullable<SlotComponents[Name]> }>
  readonly classNames: Readonly<Record<string, string | undefined>>
}

const plain: Slots["components"] = { Button: PlainButton, Input: PlainInput, Label: PlainLabel, Link: PlainLink }

/** The elements and classes for the props of a component. */
export function slotsOf({ classNames = {}, components = {} }: SlotProps<string>): Slots {
  const { Button = PlainButton, Input = PlainInput, Label = PlainLabel, Link = PlainLink } = components
  return { components: { Button, Input, Label, Link }, classNames }
}

/** Passes the slots to the parts of a component. */
export const SlotsContext: Context<Slots> = createContext<Slots>({ components: plain, classNames: {} })

export function useSlots(): Slots {
  return useContext(SlotsContext)
}
