/**
 * What never goes into a line that is written for people: control characters, halves of characters, line separators, and what
 * cannot be seen or turns the direction of text. Joiners and variants of emoji and scripts are left alone.
 */
export const UNWRITABLE = /[\p{Cc}\p{Cs}\u2028\u2029[\p{Default_Ignorable_Code_Point}--\p{Join_Control}--[\ufe0e-\ufe0f]]]/gv;
