"""What running Beamtalk code needs: objects, dispatch, errors, collections, processes."""
