import type { Session } from "@latchkey/core/types"
import { type ReactElement, useState } from "react"
import { initialsOf } from "./initials.js"
import { classes, useSlots } from "./slots.js"

type User = NonNullable<Session["user"]>

/** The image of the user, or the initials if there is none or it doesn't load. The name is next to it, so it has no text. */
export function Avatar({ user }: { readonly user: User | undefined }): ReactElement {
  const { classNames } = useSlots()
  const { name, email, image } = user ?? {}
  const [broken, setBroken] = useState<string>()
  const isShown = typeof image === "string" && image !== "" && image !== broken
  return (
    <span data-slot="avatar" className={classes("latchkey-avatar", classNames["avatar"])} aria-hidden="true">
      {isShown ? (
        <img
          data-slot="avatar-image"
          className={classes("latchkey-avatar-image", classNames["avatarImage"])}
          src={image}
          alt=""
          // Some providers don't send images to other sites.
          referrerPolicy="no-referrer"
          onError={() => setBroken(image)}
        />
      ) : (
        <span data-slot="avatar-fallback" className={classes("latchkey-avatar-fallback", classNames["avatarFallback"])}>
          {initialsOf(name, email) || <PersonIcon />}
        </span>
      )}
    </span>
  )
}

function PersonIcon(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
      <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0 2c-4.4 0-8 2.2-8 5v1h16v-1c0-2.8-3.6-5-8-5Z" />
    </svg>
  )
}
