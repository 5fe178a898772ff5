import type { EveryProp } from "@latchkey/client"
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"
import { checkProps } from "../check-props.js"
import { __NEXTAUTH as config } from "../config.js"
import { useSession } from "../use-session.js"
import { Avatar } from "./avatar.js"
import { SignOutButton } from "./session-buttons.js"
import { classes, type SlotProps, SlotsContext, slotsOf, useSlots } from "./slots.js"

/** The text of {@link UserButton}. */
export interface UserButtonTexts {
  /** The name of the button for screen readers. `{user}` is the name or the email. @default "Account of {user}" */
  readonly trigger: string
  /** @default "Account" */
  readonly account: string
  /** @default "Sign out" */
  readonly signOut: string
}

const english: UserButtonTexts = { trigger: "Account of {user}", account: "Account", signOut: "Sign out" }

/** The parts that `classNames` of {@link UserButton} can name. */
export type UserButtonPart =
  | "trigger"
  | "avatar"
  | "avatarImage"
  | "avatarFallback"
  | "content"
  | "header"
  | "name"
  | "email"
  | "item"

export interface UserButtonProps extends SlotProps<UserButtonPart> {
  /** URL of the account page. `null` leaves the link out. @default `<basePath>/account`, the built-in page */
  readonly accountUrl?: string | null | undefined
  /** Where the user goes after the sign-out. @default the current page */
  readonly signOutRedirectTo?: string | undefined
  /** Further links and buttons, between the account page and the sign-out. */
  readonly children?: ReactNode
  /** Shown while the session isn't known yet. @default nothing */
  readonly fallback?: ReactNode
  readonly texts?: Partial<UserButtonTexts> | undefined
}

const known: EveryProp<UserButtonProps> = {
  accountUrl: true,
  signOutRedirectTo: true,
  children: true,
  fallback: true,
  texts: true,
  className: true,
  classNames: true,
  components: true,
}

/**
 * A button with the image or the initials of the user. It opens a menu with the name, the email, the account page and
 * sign-out. Visitors who aren't signed in see nothing.
 *
 * @example
 * ```tsx
 * import { SignedOut, SignInButton, UserButton } from "@latchkey/react/components"
 *
 * export const Header = () => (
 *   <header>
 *     <UserButton accountUrl="/settings" />
 *     <SignedOut>
 *       <SignInButton />
 *     </SignedOut>
 *   </header>
 * )
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function UserButton(props: UserButtonProps): ReactNode {
  checkProps(props, { component: "UserButton", props: known })
  const { status, data } = useSession()
  if (status === "loading") return props.fallback
  if (status === "unauthenticated") return null
  return (
    <SlotsContext.Provider value={slotsOf(props)}>
      <Disclosure {...props} user={data.user} />
    </SlotsContext.Provider>
  )
}

interface DisclosureProps extends UserButtonProps {
  readonly user:
    | { readonly name?: string | null; readonly email?: string | null; readonly image?: string | null }
    | undefined
}

/** The disclosure pattern of WAI-ARIA: the items are links and buttons in the order of the Tab key, and not a `menu`. */
function Disclosure({ user, texts, className, ...props }: DisclosureProps): ReactElement {
  const { components, classNames } = useSlots()
  const { Button } = components
  const root = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { trigger, ...labels } = { ...english, ...texts }
  useClosing(root, isOpen, () => setOpen(false))

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return
    event.stopPropagation()
    setOpen(false)
    root.current?.querySelector("button")?.focus()
  }

  return (
    <div
      ref={root}
      data-slot="user-button"
      className={classes("latchkey latchkey-user-button", className)}
      onKeyDown={onKeyDown}
    >
      <Button
        type="button"
        variant="ghost"
        data-slot="user-button-trigger"
        className={classes("latchkey-user-button-trigger", classNames["trigger"])}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={trigger.replace("{user}", user?.name || user?.email || "")}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar user={user} />
      </Button>
      <div
        id={id}
        hidden={!isOpen}
        data-slot="user-button-content"
        className={classes("latchkey-user-button-content", classNames["content"])}
      >
        <Header user={user} />
        <Items {...props} labels={labels} />
      </div>
    </div>
  )
}

function Header({ user }: Pick<DisclosureProps, "user">): ReactElement {
  const { classNames } = useSlots()
  const { name, email } = user ?? {}
  return (
    <div data-slot="user-button-header" className={classes("latchkey-user-button-header", classNames["header"])}>
      {name ? (
        <p data-slot="user-button-name" className={classes("latchkey-user-button-name", classNames["name"])}>
          {name}
        </p>
      ) : null}
      {email ? (
        <p data-slot="user-button-email" className={classes("latchkey-user-button-email", classNames["email"])}>
          {email}
        </p>
      ) : null}
    </div>
  )
}

interface ItemsProps extends UserButtonProps {
  readonly labels: Pick<UserButtonTexts, "account" | "signOut">
}

function Items({ accountUrl, signOutRedirectTo, children, labels }: ItemsProps): ReactElement {
  const { components, classNames } = useSlots()
  const { Button, Link } = components
  const className = classes("latchkey-user-button-item", classNames["item"])
  return (
    <>
      {accountUrl === null ? null : (
        <Link data-slot="user-button-item" className={className} href={accountUrl ?? `${config.basePath}/account`}>
          {labels.account}
        </Link>
      )}
      {children}
      <SignOutButton
        variant="ghost"
        data-slot="user-button-item"
        className={className}
        redirectTo={signOutRedirectTo}
        components={{ Button }}
      >
        {labels.signOut}
      </SignOutButton>
    </>
  )
}

/** Closes what is open when the focus leaves it, or when the user presses a pointer outside. */
function useClosing(root: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const onEvent = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) latest.current()
    }
    document.addEventListener("pointerdown", onEvent)
    document.addEventListener("focusin", onEvent)
    return () => {
      document.removeEventListener("pointerdown", onEvent)
      document.removeEventListener("focusin", onEvent)
    }
  }, [isOpen, root])
}
