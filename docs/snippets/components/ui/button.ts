/** As shadcn/ui generates it. The examples in the docs import this as "@/components/ui/button". */
import type { ComponentProps, ReactElement } from "react"

export declare function Button(
  props: ComponentProps<"button"> & {
    variant?: "default" | "destructive" | "outline" | "secondary" | "ghost" | "link" | null | undefined
    size?: "default" | "sm" | "lg" | "icon" | null | undefined
    asChild?: boolean
  },
): ReactElement
