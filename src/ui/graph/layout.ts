/** A graph to lay out: boxes of known size, and arrows between them. */
export interface LayoutGraph {
  readonly nodes: readonly { readonly id: string; readonly width: number; readonly height: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** From left to right unless told otherwise. */
  readonly direction?: 'right' | 'down';
  readonly gap?: number;
  readonly rankGap?: number;
}

/** Where everything goes: left upper corners of boxes, corners of arrows. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}
