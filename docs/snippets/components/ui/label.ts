/** As shadcn/ui generates it. The examples in the docs import this as "@/components/ui/label". */
import type { ComponentProps, ReactElement } from "react"

export declare function Label(props: ComponentProps<"label">): ReactElement
