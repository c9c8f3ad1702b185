// What the store gives, or the error that says it cannot now.
import { StoreError } from '../store/store.ts';
import { ApiError } from './api-error.ts';

export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new ApiError('store_unavailable', 'The store does not answer now.');
    throw error;
  }
}
