/** The examples in the docs import this as "@/components/password-form". */
import type { ReactElement } from "react"

export declare function PasswordForm(props: { callbackUrl: string }): ReactElement
