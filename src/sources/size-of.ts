import { parseQuantity, QuantityError, quantityToInteger } from '../objects/index.ts';

/** How many bytes a quantity such as `10M` is; undefined where it is none, or empty. */
export function sizeOf(text: string): number | undefined {
  try {
    return text === '' ? undefined : Number(quantityToInteger(parseQuantity(text)));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
