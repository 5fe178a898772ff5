/** As shadcn/ui generates it. The examples in the docs import this as "@/components/ui/input". */
import type { ComponentProps, ReactElement } from "react"

export declare function Input(props: ComponentProps<"input">): ReactElement
