/** The examples in the docs import this as "@/user-menu". */
import type { ReactElement } from "react"

export declare function UserMenu(): ReactElement
